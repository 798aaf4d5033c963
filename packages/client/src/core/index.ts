/** What runs wherever JavaScript does: `fetch` and `WebSocket` are all that it needs, and no module of Node's. */

/** Reads a session's `stdout` or `stderr` at the reader's pace: `for await`. */
export { iterate } from '@wherry/bytes';
export { type Status, StatusError } from '@wherry/kubeapi/objects';
export type * from '@wherry/kubeapi/types';
export { type RemoteCommandConnection, RemoteCommandError, type TerminalSize } from '@wherry/remotecommand';
export { isConditionTrue, type WantedCondition, withCondition } from '../controllers/conditions.ts';
export { addFinalizer, type FinalizerOptions, removeFinalizer } from '../controllers/finalizers.ts';
export {
  type ElectionObserver,
  LeaderElection,
  type LeaderElectionOptions,
} from '../controllers/leader-election.ts';
export type { LeaseLockOptions } from '../controllers/lease-lock.ts';
export { controllerOf, controllerReference, refersTo } from '../controllers/owner-references.ts';
export { type QueueObserver, WorkQueue, type WorkQueueOptions } from '../controllers/work-queue.ts';
export type { ClientErrorCode } from '../errors.ts';
export { ClientError } from '../errors.ts';
export {
  type EventFacts,
  type EventObject,
  type EventRecorder,
  type EventType,
  eventObjectOf,
} from '../events/event.ts';
export { type EventLoss, EventSender, type EventSenderOptions } from '../events/event-sender.ts';
export type { BuiltInKinds } from '../generated/kinds.ts';
export * as kinds from '../generated/kinds.ts';
export { readBody } from '../http/body.ts';
export type { HttpAnswer, HttpDoor, HttpRequest } from '../http/door.ts';
export { splitLines } from '../http/lines.ts';
export { limits } from '../limits.ts';
export type { KubeList, KubeObject, ResourceType } from '../objects/objects.ts';
export { resourceType } from '../objects/resource-type.ts';
export type { ApplyOptions } from '../resources/apply.ts';
export type { DiscoveredResource, Discovery } from '../resources/discovery.ts';
export { discoverResources } from '../resources/discovery.ts';
export type { KindRef } from '../resources/kind-names.ts';
export { Listing } from '../resources/listing.ts';
export { parseManifests } from '../resources/manifests.ts';
export type { PathParts, Query } from '../resources/paths.ts';
export { queryString, resourcePath } from '../resources/paths.ts';
export type {
  DeleteOptions,
  ListAllOptions,
  ListOptions,
  ObjectKey,
  PatchOptions,
  PatchType,
  ResourceSender,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from '../resources/resource-client.ts';
export { ResourceClient } from '../resources/resource-client.ts';
export { selectorText } from '../resources/selector-text.ts';
export type { NamedObject, ObjectAt, ObjectOfKind, Target, UntypedObject } from '../resources/target.ts';
export type { WatchEvent } from '../resources/watch-events.ts';
export type { Captured, CaptureInput, CaptureOptions } from '../sessions/capture.ts';
export { captureExec } from '../sessions/capture.ts';
export { logLines } from '../sessions/log-lines.ts';
export { compareTimestamps } from '../sessions/log-resume.ts';
export type { LogClient, LogOptions } from '../sessions/logs.ts';
export { logs } from '../sessions/logs.ts';
export type {
  ContainerTarget,
  OpenSessionOptions,
  SessionClient,
  SessionOptions,
  SessionRequest,
  StreamTransport,
} from '../sessions/session.ts';
export { openAttach, openExec } from '../sessions/session.ts';
export type { SessionDoor } from '../sessions/session-door.ts';
export type { FollowedChange, SeeChange } from '../watch/follow-until.ts';
export type { InformerHandlers, InformerOptions } from '../watch/informer.ts';
export { Informer } from '../watch/informer.ts';
export type { Indices } from '../watch/store.ts';
export { keyOf } from '../watch/store.ts';
export type { WaitCondition } from '../watch/wait-condition.ts';
export type { WaitOptions } from '../watch/wait-for.ts';
export type {
  ApiClientOptions,
  ChangeOptions,
  FollowingOptions,
  ReadOptions,
  SelectionOptions,
} from './api-client.ts';
export { ApiClient } from './api-client.ts';
export type { CreateApiClientOptions } from './create-api-client.ts';
export { createApiClient } from './create-api-client.ts';
