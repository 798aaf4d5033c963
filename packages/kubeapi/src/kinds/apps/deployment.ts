/** Deployments. */

import type { Deployment, DeploymentStrategy } from '../../generated/types.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../status/field-error.ts';
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
import { notDecremented, validateCounts } from '../../validation/counts.ts';
import { atMostAll, plainNumber, positiveOrPercent } from '../../validation/int-or-percent.ts';
import { nonNegative } from '../../validation/metadata.ts';
import type { KindDefinition } from '../definition.ts';
import {
  defaultRollingUpdate,
  sameSelector,
  validateOwnSelector,
  validateOwnTemplate,
  words,
} from './replicated.ts';

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
  validate: validateDeployment,
  validateUpdate: (next, previous) => [
    ...validateDeployment(next, previous),
    ...sameSelector(next, previous),
  ],
  validateSubresource: { status: validateStatus },
  defaults: {
    DeploymentSpec: { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
    DeploymentStrategy: { type: 'RollingUpdate' },
  },
  computedDefaults: {
    DeploymentStrategy: defaultRollingUpdate({ maxUnavailable: '25%', maxSurge: '25%' }),
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

/** Violations in a deployment. */
function validateDeployment({ spec }: Deployment, previous?: Deployment): FieldError[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec;
  const isLate = deadline !== undefined && deadline <= minReadySeconds;
  return [
    ...nonNegative('spec.replicas', spec.replicas),
    ...validateOwnSelector(spec.selector),
    ...validateOwnTemplate(spec.selector, spec.template, previous?.spec.template),
    ...validateStrategy(spec.strategy ?? {}),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...nonNegative('spec.progressDeadlineSeconds', deadline),
    ...(isLate
      ? [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ];
}

function validateStrategy({ type, rollingUpdate }: DeploymentStrategy): FieldError[] {
  const place = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate') {
    return rollingUpdate
      ? [forbiddenField(place, "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  if (type !== 'RollingUpdate')
    return [notSupported('spec.strategy', type ?? '', ['Recreate', 'RollingUpdate'])];
  if (!rollingUpdate) return [required(place)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const isStuck = plainNumber(maxUnavailable) === 0 && plainNumber(maxSurge) === 0;
  return [
    ...positiveOrPercent(`${place}.maxUnavailable`, maxUnavailable),
    ...positiveOrPercent(`${place}.maxSurge`, maxSurge),
    ...(isStuck
      ? [invalidValue(`${place}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(`${place}.maxUnavailable`, maxUnavailable),
  ];
}

function validateStatus({ status }: Deployment, previous: Deployment): FieldError[] {
  const counts = ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];
  const others = ['observedGeneration', 'terminatingReplicas', 'collisionCount'];
  const bounded = [
    ['updatedReplicas', 'replicas'],
    ['readyReplicas', 'replicas'],
    ['availableReplicas', 'replicas'],
    ['availableReplicas', 'readyReplicas'],
  ] as const;
  return [
    ...validateCounts(status, [...counts, ...others], bounded),
    ...notDecremented('status.collisionCount', status?.collisionCount, previous.status?.collisionCount),
  ];
}
