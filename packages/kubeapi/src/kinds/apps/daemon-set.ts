/** Daemon sets. */

import type { DaemonSet } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  column,
  containerCells,
  labelText,
  type Printer,
  replicaColumns,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { defaultRollingUpdate, validateReplicated, validateReplicatedUpdate, words } from './replicated.ts';

const printer: Printer<DaemonSet> = {
  columns: [
    ...[
      ...replicaColumns,
      column('Up-to-date', 'integer'),
      column('Available', 'integer'),
      column('Node Selector'),
    ],
    ...[ageColumn, ...templateColumns],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata.name ?? '', status?.desiredNumberScheduled ?? 0, status?.currentNumberScheduled ?? 0],
    ...[status?.numberReady ?? 0, status?.updatedNumberScheduled ?? 0, status?.numberAvailable ?? 0],
    ...[labelText(spec.template.spec?.nodeSelector), age(metadata.creationTimestamp, nowMs)],
    ...[...containerCells(spec.template.spec?.containers), selectorText(spec.selector)],
  ],
};

/** Daemon sets. */
export const daemonSet: KindDefinition<DaemonSet> = {
  group: 'apps',
  kind: 'DaemonSet',
  printer,
  validate: validateReplicated,
  validateUpdate: validateReplicatedUpdate,
  defaults: {
    DaemonSetSpec: { revisionHistoryLimit: 10 },
    DaemonSetUpdateStrategy: { type: 'RollingUpdate' },
    RollingUpdateDaemonSet: { maxUnavailable: 1, maxSurge: 0 },
  },
  computedDefaults: {
    DaemonSetUpdateStrategy: defaultRollingUpdate,
  },
  descriptions: {
    DaemonSet: { '': 'Runs one pod on every node that matches.' },
    DaemonSetSpec: {
      '': 'What a daemon set should run.',
      selector: words.selector,
      template: words.template,
      updateStrategy: 'How pods are replaced.',
      minReadySeconds: 'Seconds a pod must be ready to count as available.',
    },
  },
};
