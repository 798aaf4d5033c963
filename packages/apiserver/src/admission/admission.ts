import {
  forbidden,
  fromStatus,
  type ObjectType,
  type ResourceFacts,
  type StatusCause,
  type StatusError,
  type TypeMeta,
} from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { ApiObject } from '../objects/api-object.ts';
import type { StoreWrite } from '../store/store.ts';
import type { PluginConfiguration } from './plugin-configurations.ts';

/** What is done to an object, or through it. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What a sub-resource of a kind of its own (Scale) shows of the object that is written through it. */
export interface AdmissionView {
  type: ObjectType;
  of(object: ApiObject): ApiObject;
  /** Writes what the shown form says into the object. */
  into(object: ApiObject, shown: ApiObject): void;
}

/** One write on its way to the store, or one stream on its way to a pod. */
export interface AdmissionRequest {
  operation: Operation;
  /** As authorization knows it: an UPDATE may be an update or a patch. */
  verb: string;
  /** The resource itself, whatever sub-resource of it is written. */
  resource: ResourceFacts;
  /** '' for the resource itself. */
  subresource: string;
  namespace: string;
  name: string;
  /**
   * What is to be written: the object, or what its sub-resource takes (Binding, Eviction, TokenRequest). Plug-ins may
   * change it in the first phase. Absent for DELETE and CONNECT.
   */
  object?: ApiObject | undefined;
  /** What is there, for UPDATE and DELETE; nobody changes it. */
  previous?: ApiObject | undefined;
  /** Of `object` and `previous`; absent where there is neither. */
  type?: ObjectType | undefined;
  /** How those outside see the object, where that is not as it is stored. */
  view?: AdmissionView | undefined;
  /** How it is done: CreateOptions, UpdateOptions, DeleteOptions, or what a CONNECT asks for (PodExecOptions and the like). */
  options?: TypeMeta | undefined;
  user: UserInfo;
  dryRun: boolean;
  /** Aborts when the client is gone. Absent: the server itself writes. */
  signal?: AbortSignal | undefined;
  /** How long the client waits, as Go prints durations. */
  timeout?: string | undefined;
  /** For the client, whatever becomes of the request; repeats are dropped. */
  warn(text: string): void;
  /** For the audit log: the first value of a key counts; `Request` keeps it from logs that hold no content. */
  annotate(key: string, value: string, level?: 'Metadata' | 'Request'): void;
  /** Time that was spent on somebody else's answer. */
  waited(ms: number): void;
  /**
   * Stores something else just before the object, or neither; for the second phase. When its condition does not hold any
   * more, all plug-ins judge anew. What goes through another object's sub-resource stores nothing.
   */
  storeAlongside(write: StoreWrite): void;
  /** For the first phase: plug-ins before this one, and it itself, are asked once more. */
  askAgain(): void;
  /** Called once when the write stands in the store, or never will. */
  onSettled(callback: () => void): void;
}

/** Which requests a plug-in is asked about: any of the operations on any of the resources. */
export interface AdmissionRule {
  operations: readonly Operation[];
  /** `GROUP/PLURAL`, `GROUP/PLURAL/SUBRESOURCE`, `GROUP/PLURAL/*` for every sub-resource, `*` for everything. */
  resources: readonly string[];
}

/** Looks at requests, in one or both of two phases; throws a StatusError to refuse. It is asked about no others. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly handles: readonly AdmissionRule[];
  /** Asked only when `--enable-admission-plugins` names it. */
  readonly isOffByDefault?: boolean;
  /** Its first phase refuses and changes nothing. */
  readonly onlyRefuses?: boolean;
  /** What its first phase leaves has its defaults. Default: where it only refuses. */
  readonly keepsDefaults?: boolean;
  /**
   * Takes what `--admission-control-config-file` says to it; undefined where that is nothing. Called once, before anything is asked,
   * where the plug-in is on. Throws an Error on what it can't go by. Absent: nothing can be said to it.
   */
  configure?(given: PluginConfiguration | undefined): void;
  /** Sees what the client wants, with defaults, and may change it. Called again when the write has to be made anew. */
  admit?(request: AdmissionRequest): void | Promise<void>;
  /** Sees what will be stored, once the kind's own rules have been applied and checked; changes nothing. */
  validate?(request: AdmissionRequest): void | Promise<void>;
  /** The server ends: lets go of what it holds. */
  close?(): void;
}

/** True when one of the rules is about this operation on this resource. */
export function isHandled(
  rules: readonly AdmissionRule[],
  { operation, resource, subresource }: Pick<AdmissionRequest, 'operation' | 'resource' | 'subresource'>,
): boolean {
  const path = `${resource.group}/${resource.plural}`;
  const wanted = subresource === '' ? [path, '*'] : [`${path}/${subresource}`, `${path}/*`, '*'];
  return rules.some(
    ({ operations, resources }) =>
      operations.includes(operation) && wanted.some((name) => resources.includes(name)),
  );
}

/** 403 as upstream words it: `pods "x" is forbidden: WHY`; the cause is for clients that read no words. */
export function refused({ resource, name }: AdmissionRequest, why: string, cause?: StatusCause): StatusError {
  const error = forbidden({ group: resource.group, resource: resource.plural }, name, why);
  if (!cause) return error;
  return fromStatus({ ...error.status, details: { ...error.status.details, causes: [cause] } });
}
