/** Daemon sets. */

import type { DaemonSet, DaemonSetUpdateStrategy } from '../../generated/types.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { matcherFrom } from '../../selector/label-selector.ts';
import { type FieldError, invalidValue, notSupported, required } from '../../status/field-error.ts';
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
import { notDecremented, validateCounts } from '../../validation/counts.ts';
import { atMostAll, plainNumber, positiveOrPercent } from '../../validation/int-or-percent.ts';
import { isInvalidSelector, nonNegative, validateSelector } from '../../validation/metadata.ts';
import { notSelected, validateLasting, validateTemplate } from '../core/pod/validation/template.ts';
import type { KindDefinition } from '../definition.ts';
import { defaultRollingUpdate, isEverything, sameSelector, words } from './replicated.ts';

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
  validate: validateDaemonSet,
  validateUpdate: (next, previous) => [...validateDaemonSet(next, previous), ...sameSelector(next, previous)],
  validateSubresource: { status: validateStatus },
  defaults: {
    DaemonSetSpec: { revisionHistoryLimit: 10 },
    DaemonSetUpdateStrategy: { type: 'RollingUpdate' },
  },
  computedDefaults: {
    DaemonSetUpdateStrategy: defaultRollingUpdate({ maxUnavailable: 1, maxSurge: 0 }),
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

/** Violations in a daemon set. */
function validateDaemonSet({ spec }: DaemonSet, previous?: DaemonSet): FieldError[] {
  const { selector, template } = spec;
  const place = 'spec.selector';
  const errors = validateSelector(selector, place, isInvalidSelector(previous?.spec.selector));
  const labels = template?.metadata?.labels ?? {};
  const isSelected = errors.length > 0 || (selector !== undefined && matcherFrom(selector).matches(labels));
  return [
    ...errors,
    ...(isSelected ? [] : [notSelected('spec.template', labels)]),
    ...(selector && isEverything(selector)
      ? [invalidValue(place, selector as JsonValue, 'empty selector is invalid here')]
      : []),
    ...validateTemplate(template, 'spec.template', previous?.spec.template),
    ...validateLasting(template),
    ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...validateStrategy(spec.updateStrategy ?? {}),
  ];
}

function validateStrategy({ type, rollingUpdate }: DaemonSetUpdateStrategy): FieldError[] {
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate')
    return [notSupported('spec.updateStrategy', type ?? '', ['RollingUpdate', 'OnDelete'])];
  const place = 'spec.updateStrategy.rollingUpdate';
  if (!rollingUpdate) return [required(place)];
  const { maxUnavailable, maxSurge } = rollingUpdate;
  const [isUnavailable, surges] = [plainNumber(maxUnavailable) !== 0, plainNumber(maxSurge) !== 0];
  return [
    ...positiveOrPercent(`${place}.maxUnavailable`, maxUnavailable),
    ...positiveOrPercent(`${place}.maxSurge`, maxSurge),
    ...atMostAll(`${place}.maxUnavailable`, maxUnavailable),
    ...atMostAll(`${place}.maxSurge`, maxSurge),
    ...(isUnavailable && surges
      ? [invalidValue(`${place}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(isUnavailable || surges
      ? []
      : [required(`${place}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ];
}

function validateStatus({ status }: DaemonSet, previous: DaemonSet): FieldError[] {
  const scheduled = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled'];
  const counts = ['numberReady', 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'];
  return [
    ...validateCounts(status, [...scheduled, ...counts, 'observedGeneration', 'collisionCount']),
    ...notDecremented('status.collisionCount', status?.collisionCount, previous.status?.collisionCount),
  ];
}
