import {
  encodeProtobuf,
  encodeWatchFrame,
  exactJson,
  formatApiVersion,
  type IncludeObject,
  type ObjectType,
  type Status,
} from '@wherry/kubeapi';
import type { MediaType } from '../http/negotiation.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { WatchEvent, WatchEventType } from '../registry/watch-events.ts';
import { partialObject, tableOf } from './representation.ts';

/** Renders watch events for one watcher. */
export interface WatchFramer {
  /** Every framer of which this is true renders alike. */
  readonly isShared: boolean;
  event(event: WatchEvent): Buffer;
  bookmark(revision: number, isInitialEnd: boolean): Buffer;
  error(status: Status): Buffer;
}

const initialEventsEnd = 'k8s.io/initial-events-end';

/** Rendered once per object state and type, for all watchers of plain JSON. */
const jsonFrames = new WeakMap<Snapshot, Partial<Record<WatchEventType, Buffer>>>();

/** What a framer makes. */
export interface FramerOptions {
  media: MediaType;
  type: ObjectType;
  /** What of its objects a Table is to have. */
  include: IncludeObject;
  nowMs: () => number;
}

/** The framer for an answer's form. */
export function createWatchFramer({ media, type, include, nowMs }: FramerOptions): WatchFramer {
  const { gvk } = type;
  const { as } = media;
  let hasColumns = false;
  /** Columns are told once, as upstream. */
  const table = (object: ApiObject): object => {
    const whole = tableOf(type, [object], { media, nowMs: nowMs(), includeObject: include });
    const told = hasColumns ? { ...whole, columnDefinitions: null } : whole;
    hasColumns = true;
    return told;
  };
  const isJson = media.encoding === 'json';
  const frame = (change: WatchEventType, object: object) =>
    isJson ? jsonFrame(change, exactJson(object)) : protobufFrame(change, object);
  const apiVersion = formatApiVersion(gvk.group, gvk.version);
  const shape = (snapshot: Snapshot): object => {
    if (as === 'Table') return table(snapshot.object);
    if (as !== 'object') return partialObject(snapshot.object, media.asVersion);
    return snapshot.object;
  };
  return {
    isShared: isJson && as === 'object',
    event({ type: change, snapshot }) {
      return isJson && as === 'object' ? plainFrame(change, snapshot) : frame(change, shape(snapshot));
    },
    bookmark(revision, isInitialEnd) {
      const annotations = isInitialEnd ? { annotations: { [initialEventsEnd]: 'true' } } : {};
      const bare = {
        kind: gvk.kind,
        apiVersion,
        metadata: { resourceVersion: String(revision), ...annotations },
      };
      if (as === 'object') return frame('BOOKMARK', bare);
      if (as !== 'Table') return frame('BOOKMARK', partialObject(bare, media.asVersion));
      return frame('BOOKMARK', table(bare));
    },
    error: (status) => frame('ERROR', status),
  };
}

function plainFrame(type: WatchEventType, snapshot: Snapshot): Buffer {
  let frames = jsonFrames.get(snapshot);
  if (!frames) {
    frames = {};
    jsonFrames.set(snapshot, frames);
  }
  frames[type] ??= jsonFrame(type, snapshot.json);
  return frames[type];
}

function jsonFrame(type: WatchEventType, object: string): Buffer {
  return Buffer.from(`{"type":"${type}","object":${object}}\n`);
}

function protobufFrame(type: WatchEventType, object: object): Buffer {
  return Buffer.from(encodeWatchFrame(type, encodeProtobuf(object)));
}
