/** Bindings of pods to nodes. */

import type { Binding } from '../../generated/types.ts';
import { type FieldError, notSupported, required } from '../../status/field-error.ts';
import type { KindDefinition } from '../definition.ts';

/** Bindings of pods to nodes. */
export const binding: KindDefinition<Binding> = {
  group: '',
  kind: 'Binding',
  validate: validateBinding,
};

/** Violations in the binding of a pod to a node. */
function validateBinding({ target }: Binding): FieldError[] {
  const errors: FieldError[] = [];
  if (target.kind && target.kind !== 'Node')
    errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
  if (!target.name) errors.push(required('target.name'));
  return errors;
}
