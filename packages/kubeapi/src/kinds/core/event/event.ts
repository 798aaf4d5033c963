/** Events of the core group. */
import type { Event } from '../../../generated/types.ts';
import { age } from '../../../table/human-duration.ts';
import { column, type Printer, wide } from '../../../table/printer.ts';
import type { KindDefinition } from '../../definition.ts';
import { eventLabels, sourcePath } from './field-labels.ts';
import { validateEvent } from './validation.ts';

/** Prints events of the core group. */
export const eventPrinter: Printer<Event> = {
  columns: [
    ...[
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wide('Subobject'),
      wide('Source'),
    ],
    ...[column('Message'), wide('First Seen'), wide('Count'), { ...wide('Name'), format: 'name' }],
  ],
  cells(event, nowMs) {
    const { involvedObject: target, source } = event;
    const firstSeen = age(event.firstTimestamp || event.eventTime, nowMs);
    const lastSeen = event.lastTimestamp ? age(event.lastTimestamp, nowMs) : firstSeen;
    const component = source?.component || event.reportingComponent || '';
    const instance = source?.host || event.reportingInstance;
    const kind = (target.kind ?? '').toLowerCase();
    return [
      event.series ? age(event.series.lastObservedTime, nowMs) : lastSeen,
      ...[
        event.type ?? '',
        event.reason ?? '',
        target.name ? `${kind}/${target.name}` : kind,
        target.fieldPath ?? '',
      ],
      ...[instance ? `${component}, ${instance}` : component, (event.message ?? '').trim(), firstSeen],
      ...[event.series?.count ?? (event.count || 1), event.metadata.name ?? ''],
    ];
  },
};

/** Events of the core group. */
export const event: KindDefinition<Event> = {
  group: '',
  kind: 'Event',
  printer: eventPrinter,
  fieldLabels: eventLabels,
  fieldPath: (label, event) => (label === 'source' ? sourcePath(event) : label),
  validate: validateEvent,
  descriptions: {
    Event: {
      '': 'Something that happened, kept for a while.',
      involvedObject: 'What it happened to.',
      reason: 'What, in one word.',
      message: 'What, for people.',
      type: 'Normal or Warning.',
      count: 'How often.',
      firstTimestamp: 'When first.',
      lastTimestamp: 'When last.',
      source: 'Who says so.',
    },
  },
};
