/** Deployments. */

import type { Deployment } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import {
  ageColumn,
  column,
  containerCells,
  nameColumn,
  type Printer,
  selectorText,
  templateColumns,
} from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { defaultRollingUpdate, validateReplicated, validateReplicatedUpdate, words } from './replicated.ts';

const printer: Printer<Deployment> = {
  columns: [
    nameColumn,
    column('Ready'),
    column('Up-to-date'),
    column('Available'),
    ageColumn,
    ...templateColumns,
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[
      metadata.name ?? '',
      `${status?.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status?.updatedReplicas ?? 0,
    ],
    ...[status?.availableReplicas ?? 0, age(metadata.creationTimestamp, nowMs)],
    ...[...containerCells(spec.template.spec?.containers), selectorText(spec.selector)],
  ],
};

/** Deployments. */
export const deployment: KindDefinition<Deployment> = {
  group: 'apps',
  kind: 'Deployment',
  printer,
  validate: validateReplicated,
  validateUpdate: validateReplicatedUpdate,
  defaults: {
    DeploymentSpec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    DeploymentStrategy: { type: 'RollingUpdate' },
    RollingUpdateDeployment: { maxUnavailable: '25%', maxSurge: '25%' },
  },
  computedDefaults: {
    DeploymentStrategy: defaultRollingUpdate,
  },
  descriptions: {
    Deployment: { '': 'Keeps a number of equal pods running and replaces them step by step.' },
    DeploymentSpec: {
      '': 'What a deployment should run.',
      replicas: words.replicas,
      selector: words.selector,
      template: words.template,
      strategy: 'How old pods are replaced by new ones.',
      minReadySeconds: 'Seconds a pod must be ready to count as available.',
      revisionHistoryLimit: 'How many old replica sets are kept.',
      paused: 'Hold changes back.',
      progressDeadlineSeconds: 'Seconds without progress after which it counts as failed.',
    },
  },
};
