/** Events of events.k8s.io, which call the same things by other names. */
import type { Event, EventsV1Event } from '../../generated/types.ts';
import type { Printer } from '../../table/printer.ts';
import { eventPrinter } from '../core/event/event.ts';
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

/** Label → the text of an event without it (upstream: apis/events/v1/conversion.go). */
const fieldLabels = {
  'regarding.kind': '',
  'regarding.namespace': '',
  'regarding.name': '',
  'regarding.uid': '',
  'regarding.apiVersion': '',
  'regarding.resourceVersion': '',
  'regarding.fieldPath': '',
  reason: '',
  reportingController: '',
  type: '',
};

/** Events of events.k8s.io, which call the same things by other names. */
export const newEvent: KindDefinition<EventsV1Event> = {
  group: 'events.k8s.io',
  kind: 'Event',
  printer,
  fieldLabels,
  fieldPath,
  validate: validateNewEvent,
  validateUpdate: validateNewEventUpdate,
};

/** Where an event, in either group's form, has what a label names. */
function fieldPath(label: string, event: object): string {
  if ('regarding' in event || 'reportingController' in event) return label;
  if (label === 'reportingController') return 'reportingComponent';
  return label.replace(/^regarding\./, 'involvedObject.');
}
