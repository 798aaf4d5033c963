import { periods } from '../../limits.ts';
import type { ApiObject } from '../../objects/api-object.ts';
import type { Conversion } from '../../objects/strategy.ts';
import type { ServedKind } from '../definition.ts';

/** Fields that events.k8s.io calls by other names: there, here. */
const renamed = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
] as const;

const renamedBack = renamed.map(([there, here]) => [here, there] as const);
/** What the core group's form always has, and this one only where it says something. */
const leftOutEmpty = ['reportingController', 'reportingInstance'];

/** Events are stored once, in the core group's form, and served in both groups. */
const conversion: Conversion = {
  storedApiVersion: 'v1',
  keyPrefix: '/events/',
  toStored: (object) => rename(object, renamed),
  fromStored: (object) => withoutEmpty(rename(object, renamedBack)),
};

/** Events of events.k8s.io. */
export const newEvent: ServedKind = {
  group: 'events.k8s.io',
  kind: 'Event',
  strategy: { lifetimeMs: periods.eventLifetimeMs, createsOnUpdate: true },
  conversion,
};

function rename(object: ApiObject, names: readonly (readonly [from: string, to: string])[]): ApiObject {
  const newNames = new Map(names);
  const entries = Object.entries(object).map(([name, value]) => [newNames.get(name) ?? name, value]);
  return Object.fromEntries(entries) as ApiObject;
}

function withoutEmpty(object: ApiObject): ApiObject {
  const entries = Object.entries(object).filter(
    ([name, value]) => value !== '' || !leftOutEmpty.includes(name),
  );
  return Object.fromEntries(entries) as ApiObject;
}
