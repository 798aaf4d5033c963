/** Events of events.k8s.io, which call the same things by other names. */
import type { Event, EventsV1Event } from '../../generated/types.ts';
import type { Printer } from '../../table/printer.ts';
import { eventPrinter } from '../core/event/event.ts';
import { eventLabels, sourcePath } from '../core/event/field-labels.ts';
import { validateNewEvent, validateNewEventUpdate } from '../core/event/validation.ts';
import type { KindDefinition } from '../definition.ts';

const printer: Printer<EventsV1Event> = {
  columns: eventPrinter.columns,
  cells: (event, nowMs) =>
    eventPrinter.cells(
      {
        ...event,
        involvedObject: event.regarding ?? {},
        message: event.note ?? '',
        source: event.deprecatedSource ?? {},
        firstTimestamp: event.deprecatedFirstTimestamp ?? '',
        lastTimestamp: event.deprecatedLastTimestamp ?? '',
        count: event.deprecatedCount ?? 0,
        reportingComponent: event.reportingController ?? '',
      } as Event,
      nowMs,
    ),
};

/** Events of events.k8s.io, which call the same things by other names. */
export const newEvent: KindDefinition<EventsV1Event> = {
  group: 'events.k8s.io',
  kind: 'Event',
  printer,
  fieldLabels: eventLabels,
  fieldPath,
  validate: validateNewEvent,
  validateUpdate: validateNewEventUpdate,
};

function fieldPath(label: string, object: object): string {
  if (label === 'source') return sourcePath(object);
  if (!('regarding' in object)) return label;
  if (label.startsWith('involvedObject.')) return label.replace('involvedObject', 'regarding');
  return label === 'reportingComponent' ? 'reportingController' : label;
}
