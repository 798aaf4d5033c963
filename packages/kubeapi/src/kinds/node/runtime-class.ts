/** Runtime classes (upstream: pkg/apis/node/validation). */

import type { RuntimeClass, Toleration } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { at, duplicate, type FieldError, required } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import { dnsLabel } from '../../validation/formats.ts';
import { check, immutable, validateLabels } from '../../validation/metadata.ts';
import { repeats } from '../../validation/repeats.ts';
import { validateResources } from '../../validation/resource-amounts.ts';
import { validateTolerations } from '../../validation/tolerations.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<RuntimeClass> = {
  columns: [nameColumn, column('Handler'), ageColumn],
  cells: ({ metadata, handler }, nowMs) => [
    metadata.name ?? '',
    handler,
    age(metadata.creationTimestamp, nowMs),
  ],
};

/** Runtime classes (upstream: pkg/apis/node/validation). */
export const runtimeClass: KindDefinition<RuntimeClass> = {
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  printer,
  validate: validateRuntimeClass,
  validateUpdate: validateRuntimeClassUpdate,
  descriptions: {
    RuntimeClass: { '': 'A way to run pods.', handler: 'The handler of the container runtime.' },
  },
};

/** Violations in a runtime class. */
function validateRuntimeClass({ handler, overhead, scheduling }: RuntimeClass): FieldError[] {
  return [
    ...(handler ? check('handler', handler, dnsLabel) : [required('handler')]),
    ...(overhead ? validateResources({ limits: overhead.podFixed ?? {} }, 'overhead') : []),
    ...validateLabels(scheduling?.nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(scheduling?.tolerations ?? [], 'scheduling.tolerations'),
    ...repeatedTolerations(scheduling?.tolerations ?? []),
  ];
}

/** Violations in a change of a runtime class: it keeps its handler. */
function validateRuntimeClassUpdate(next: RuntimeClass, previous: RuntimeClass): FieldError[] {
  return [...validateRuntimeClass(next), ...immutable('handler', next.handler, previous.handler)];
}

/** A toleration counts as another one's repetition however long it lasts. */
function repeatedTolerations(tolerations: readonly Toleration[]): FieldError[] {
  const isRepeat = repeats<string>();
  return tolerations.flatMap((toleration, index) => {
    const { key, operator, value, effect } = toleration;
    return isRepeat(JSON.stringify([key, operator, value, effect]))
      ? [duplicate(at('scheduling.tolerations', index), toleration as JsonValue)]
      : [];
  });
}
