/** Replica sets. */

import type { ReplicaSet } from '../../generated/types.ts';
import type { FieldError } from '../../status/field-error.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  containerCells,
  type Printer,
  replicaColumns,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import { validateReplicaStatus } from '../../validation/counts.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import { sameSelector, validateOwnSelector, validateOwnTemplate, words } from './replicated.ts';

const printer: Printer<ReplicaSet> = {
  columns: [...replicaColumns, ageColumn, ...templateColumns],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', spec.replicas ?? 0, status?.replicas ?? 0, status?.readyReplicas ?? 0],
    age(metadata.creationTimestamp, nowMs),
    ...[...containerCells(spec.template?.spec?.containers), selectorText(spec.selector)],
  ],
};

/** Replica sets. */
export const replicaSet: KindDefinition<ReplicaSet> = {
  group: 'apps',
  kind: 'ReplicaSet',
  printer,
  validate: validateReplicaSet,
  validateUpdate: (next, previous) => [
    ...validateReplicaSet(next, previous),
    ...sameSelector(next, previous),
  ],
  validateSubresource: { status: validateReplicaStatus },
  defaults: {
    ReplicaSetSpec: { replicas: 1 },
  },
  descriptions: {
    ReplicaSet: { '': 'Keeps a number of equal pods running.' },
    ReplicaSetSpec: {
      '': 'What a replica set should run.',
      replicas: words.replicas,
      selector: words.selector,
      template: words.template,
      minReadySeconds: 'Seconds a pod must be ready to count as available.',
    },
  },
};

/** Violations in a replica set. */
function validateReplicaSet({ spec }: ReplicaSet, previous?: ReplicaSet): FieldError[] {
  return [
    ...nonNegative('spec.replicas', spec.replicas),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...validateOwnSelector(spec.selector),
    ...validateOwnTemplate(spec.selector, spec.template, previous?.spec.template),
  ];
}
