/** Violations in events of either group (upstream: pkg/apis/core/validation/events.go, its legacy part). */

import type { Event, EventsV1Event } from '../../../generated/types.ts';
import { type JsonValue, jsonEqual } from '../../../json/json-value.ts';
import { type FieldError, invalidValue, required } from '../../../status/field-error.ts';
import { dnsSubdomain, qualifiedName } from '../../../validation/formats.ts';
import { check, immutable } from '../../../validation/metadata.ts';

const lengthMax = 128;
const noteLengthMax = 1024;

/** Violations in an event of the core group. */
export function validateEvent(event: Event): FieldError[] {
  const { message, reportingComponent } = event;
  return validate({ ...event, note: message, controller: reportingComponent }, 'reportingComponent');
}

/** Violations in an event of events.k8s.io; fields that the groups call by other names are called the old way. */
export function validateNewEvent(event: EventsV1Event): FieldError[] {
  const { eventTime, type = '', deprecatedSource: source } = event;
  const unset = (field: string, isSet: boolean) =>
    isSet ? [invalidValue(field, '', 'needs to be unset')] : [];
  return [
    ...validateShared(event),
    ...validateSeries(event),
    ...(eventTime === undefined ? [required('eventTime')] : []),
    ...(type === 'Normal' || type === 'Warning'
      ? []
      : [invalidValue('type', '', `has invalid value: ${type}`)]),
    ...unset('firstTimestamp', event.deprecatedFirstTimestamp !== undefined),
    ...unset('lastTimestamp', event.deprecatedLastTimestamp !== undefined),
    ...unset('count', (event.deprecatedCount ?? 0) !== 0),
    ...unset('source', Boolean(source?.component || source?.host)),
  ];
}

/** Under the names of the core group, whatever this one calls them. */
const settled = {
  regarding: 'involvedObject',
  reason: 'reason',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  type: 'type',
  eventTime: 'eventTime',
  action: 'action',
  related: 'related',
  reportingController: 'reportingController',
  reportingInstance: 'reportingInstance',
} as const;

/** An event of events.k8s.io stays what it is, but for its series. */
export function validateNewEventUpdate(next: EventsV1Event, previous: EventsV1Event): FieldError[] {
  const json = (value: unknown) => (value ?? null) as JsonValue;
  return [
    ...validateShared(next),
    ...(jsonEqual(json(next.series), json(previous.series)) ? [] : validateSeries(next)),
    ...(Object.keys(settled) as (keyof typeof settled)[]).flatMap((name) =>
      immutable(settled[name], emptyAsNull(next[name]), emptyAsNull(previous[name])),
    ),
  ];
}

/** Zero and empty are as good as absent. */
function emptyAsNull(value: unknown): JsonValue {
  if (value === undefined || value === '' || value === 0) return null;
  if (typeof value !== 'object' || value === null) return value as JsonValue;
  const entries = Object.entries(value).filter(([, part]) => part !== '');
  return entries.length === 0 ? null : (Object.fromEntries(entries) as JsonValue);
}

function validateShared(event: EventsV1Event): FieldError[] {
  const { regarding, reportingController } = event;
  return validate(
    { ...event, involvedObject: regarding, controller: reportingController },
    'reportingController',
  );
}

const seriesCountMin = 2;

function validateSeries({ series }: EventsV1Event): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < seriesCountMin
      ? [invalidValue('series.count', '', `should be at least ${seriesCountMin}`)]
      : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ];
}

/** What the checks look at, whatever the group calls it. */
interface EventFacts extends Pick<Event, 'metadata' | 'reason' | 'action' | 'eventTime'> {
  involvedObject?: Event['involvedObject'] | undefined;
  note?: string | undefined;
  controller?: string | undefined;
  reportingInstance?: string | undefined;
}

function validate(event: EventFacts, controllerField: string): FieldError[] {
  const { metadata, eventTime, controller = '', reportingInstance = '' } = event;
  const about = event.involvedObject?.namespace ?? '';
  const home = metadata.namespace ?? '';
  const isOwn = about === '' ? isForCluster(home, eventTime !== undefined) : about === home;
  const misplaced = invalidValue('involvedObject.namespace', about, 'does not match event.namespace');
  // Events of the new kind name any object's namespace; old ones stand beside what they are about.
  const errors = isOwn || (eventTime !== undefined && about !== '') ? [] : [misplaced];
  errors.push(...check('namespace', home, dnsSubdomain));
  if (eventTime === undefined) return errors;
  return [
    ...errors,
    ...(controller === '' ? [required(controllerField)] : []),
    ...check(controllerField, controller, qualifiedName),
    ...text('reportingInstance', reportingInstance, lengthMax),
    ...text('action', event.action ?? '', lengthMax),
    ...text('reason', event.reason ?? '', lengthMax),
    ...tooLong('message', event.note ?? '', noteLengthMax),
  ];
}

function isForCluster(home: string, isNew: boolean): boolean {
  return home === '' || home === 'default' || (isNew && home === 'kube-system');
}

function text(field: string, value: string, length: number): FieldError[] {
  return value === '' ? [required(field)] : tooLong(field, value, length);
}

function tooLong(field: string, value: string, length: number): FieldError[] {
  const detail = `can have at most ${length} characters`;
  return Buffer.byteLength(value) > length ? [invalidValue(field, '', detail)] : [];
}
