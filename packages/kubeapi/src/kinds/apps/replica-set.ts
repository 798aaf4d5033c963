/** Replica sets. */

import type { ReplicaSet } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  containerCells,
  type Printer,
  replicaColumns,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { validateReplicated, validateReplicatedUpdate, words } from './replicated.ts';

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
  fieldLabels: { 'status.replicas': '0' },
  validate: validateReplicated,
  validateUpdate: validateReplicatedUpdate,
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
