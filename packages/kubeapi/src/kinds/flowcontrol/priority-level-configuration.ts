/** Levels of priority: how much of the server each may have (upstream: pkg/apis/flowcontrol). */
import type { PriorityLevelConfiguration } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';
import type { KindDefinition } from '../definition.ts';
import { conditionErrors } from './condition-rules.ts';
import { priorityLevelErrors } from './priority-level-rules.ts';

const printer: Printer<PriorityLevelConfiguration> = {
  columns: [
    ...[nameColumn, column('Type'), column('NominalConcurrencyShares'), column('Queues'), column('HandSize')],
    ...[column('QueueLengthLimit'), ageColumn],
  ],
  cells: ({ metadata, spec: { type, limited } }, nowMs) => {
    const { queuing } = limited?.limitResponse ?? {};
    const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing ?? {};
    const none = '<none>';
    return [
      ...[metadata.name ?? '', type ?? '', limited ? (limited.nominalConcurrencyShares ?? 0) : none],
      ...(queuing ? [queues, handSize, queueLengthLimit] : [none, none, none]),
      age(metadata.creationTimestamp, nowMs),
    ];
  },
};

/** Levels of priority: how much of the server each may have. */
export const priorityLevelConfiguration: KindDefinition<PriorityLevelConfiguration> = {
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'PriorityLevelConfiguration',
  printer,
  validate: (level) => [...priorityLevelErrors(level), ...conditionErrors(level.status?.conditions)],
  validateSubresource: { status: ({ status }) => conditionErrors(status?.conditions) },
  defaults: {
    ExemptPriorityLevelConfiguration: { nominalConcurrencyShares: 0, lendablePercent: 0 },
    LimitedPriorityLevelConfiguration: { nominalConcurrencyShares: 30, lendablePercent: 0 },
    QueuingConfiguration: { handSize: 8, queues: 64, queueLengthLimit: 50 },
  },
  descriptions: {
    PriorityLevelConfiguration: {
      '': 'A level of priority: how many of its requests are served at once, or wait.',
    },
    PriorityLevelConfigurationSpec: { type: 'Limited; or Exempt, which is for the level of that name.' },
    LimitedPriorityLevelConfiguration: {
      nominalConcurrencyShares: 'Its part of the places, beside the shares of all levels.',
      lendablePercent: 'How much of its part other levels may use while it does not.',
      borrowingLimitPercent: 'How much of its part it may use of others beside it. Absent: whatever is lent.',
      limitResponse: 'What becomes of requests that have no place at once.',
    },
    QueuingConfiguration: {
      queues: 'Times `queueLengthLimit` as many requests wait at most.',
      handSize: 'Times `queueLengthLimit` as many requests of one flow wait at most.',
    },
  },
};
