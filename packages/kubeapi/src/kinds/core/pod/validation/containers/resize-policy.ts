/** Violations in what containers say of resizes. */

import type { Container, ContainerResizePolicy } from '../../../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  notSupported,
  required,
} from '../../../../../status/field-error.ts';
import { oneOf } from '../../../../../validation/values.ts';

const resizable = ['cpu', 'memory'];
const policies = ['NotRequired', 'RestartContainer'];

/** Violations in one container's list of policies. */
export function validateResizePolicy(
  container: Container,
  field: FieldPath,
  restartPolicy: string | undefined,
): FieldError[] {
  const list = child(field, 'resizePolicy');
  const seen = new Set<string>();
  return (container.resizePolicy ?? []).flatMap((policy: ContainerResizePolicy, index) => {
    const { resourceName, restartPolicy: answer } = policy;
    const errors = seen.has(resourceName) ? [duplicate(at(list, index), resourceName)] : [];
    seen.add(resourceName);
    if (!resourceName) errors.push(required(list));
    else if (!resizable.includes(resourceName)) errors.push(notSupported(list, resourceName, resizable));
    errors.push(...oneOf(list, answer, policies));
    const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    if (restartPolicy === 'Never' && answer !== 'NotRequired')
      errors.push(invalidValue(list, answer, detail));
    return errors;
  });
}

/** A plain init container can't be started anew for the sake of its size: that would initialize twice. */
export function validateInitResizePolicy(container: Container, field: FieldPath): FieldError[] {
  if (container.restartPolicy === 'Always') return [];
  const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return (container.resizePolicy ?? []).flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [invalidValue(child(at(child(field, 'resizePolicy'), index), 'restartPolicy'), restartPolicy, detail)]
      : [],
  );
}
