import { formatApiVersion } from '@wherry/kubeapi/objects';
import type { KubeObject, ResourceType } from '../objects/objects.ts';

/** What an event is about. */
export interface EventObject {
  apiVersion: string;
  kind: string;
  name: string;
  /** Undefined or '' for what is cluster-scoped, whose events stand in `default`, as upstream's. */
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  /** Part of the object, such as `spec.containers{web}`. */
  fieldPath?: string | undefined;
}

/** `Normal` tells of progress, `Warning` of trouble. */
export type EventType = 'Normal' | 'Warning';

/** One thing that happened. */
export interface EventFacts {
  object: EventObject;
  type: EventType;
  /** One word in CamelCase, for programs. */
  reason: string;
  /** A sentence, for people. */
  message: string;
  annotations?: Readonly<Record<string, string>>;
  /** When it happened, in milliseconds since 1970. Default: now. */
  seenMs?: number;
}

/** Where events go. Never throws and never waits: what can't be sent is dropped. */
export interface EventRecorder {
  record(event: EventFacts): void;
}

/** An object as the thing that an event is about. */
export function eventObjectOf(type: ResourceType, { metadata }: KubeObject): EventObject {
  const { name = '', namespace, uid, resourceVersion } = metadata ?? {};
  const apiVersion = formatApiVersion(type.group, type.version);
  return { apiVersion, kind: type.kind, name, namespace, uid, resourceVersion };
}
