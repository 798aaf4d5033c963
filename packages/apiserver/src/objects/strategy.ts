import type { CustomComponents, ObjectType, ResourceFacts } from '@wherry/kubeapi';
import type { UserInfo } from '../authentication/identity.ts';
import type { ApiObject } from './api-object.ts';

/** A field of an object's metadata. */
export type MetadataField = keyof ApiObject['metadata'] & string;

/** What a kind does differently from a plain stored object. Every hook may change its first argument. */
export interface Strategy {
  /** Right after decoding, for creations and updates alike: brings other spellings into the stored form. */
  normalize?(object: ApiObject): void;
  /** Before {@link Strategy.prepareCreate}: says by today's fields what was said in an older way. A sentence for each, that is told. */
  modernize?(object: ApiObject): string[];
  /** After defaulting: sets what clients may not set. `user` is who creates. */
  prepareCreate?(object: ApiObject, user: UserInfo, nowText: string): void;
  /** On updates of the object itself; by default its status stays as it was. */
  prepareUpdate?(next: ApiObject, previous: ApiObject, nowText: string): void;
  /** On updates of `status`; by default only status and metadata change. */
  prepareStatusUpdate?: PrepareUpdate;
  /** Metadata that an update of `status` leaves as it was, and whose writer it therefore is not: all, or some fields. Default: none. */
  statusKeeps?: 'metadata' | readonly MetadataField[];
  /** By sub-resource, the object's own being '', what its writers never own. Default: the status, and in it all but that. */
  unowned?: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** On updates of other sub-resources that carry the whole object: takes back what they may not change. */
  prepareSubresourceUpdate?: Readonly<Record<string, PrepareUpdate>>;
  /**
   * What a change of makes a new `metadata.generation` (upstream: PrepareForUpdate). Absent: the kind has none, as its
   * controllers do not ask which spec a status tells of.
   */
  desired?(object: ApiObject): unknown;
  /** Its first change makes the first generation; its birth makes none. */
  isBornWithoutGeneration?: boolean;
  /** Seconds of grace for a deletion; undefined = none, the object goes at once. */
  gracePeriodSeconds?(object: ApiObject, requested: number | undefined): number | undefined;
  /** A deletion that begins says when, and neither how much grace there is nor that the object is another generation's. */
  marksAlone?: boolean;
  /** Waited for before objects are written: what their rules need is loaded only where it is used. */
  ready?(): Promise<void>;
  /** What is stored and not acted on, or not as its writer may think: one sentence each. `previous` is what it replaces. */
  warningsOf?(object: ApiObject, previous: ApiObject | undefined): string[];
  /** The same of an update of `status`. */
  statusWarningsOf?(object: ApiObject): string[];
  /** Put on what is deleted before anything else; whoever put an end to it takes them off. */
  finalizersOnDeletion?: readonly string[];
  /** On the way to deletion (namespaces become Terminating). */
  prepareDelete?(object: ApiObject): void;
  /** True while something other than metadata.finalizers keeps a deleted object. */
  isHeldBack?(object: ApiObject): boolean;
  /** DELETE answers with the object in place of a Status. */
  returnsDeleted?: boolean;
  /** PUT of a name that does not exist creates it. */
  createsOnUpdate?: boolean;
  /** PUT without a resourceVersion is refused. */
  needsVersionOnUpdate?: boolean;
  /** Objects are deleted by themselves so long after their last change. */
  lifetimeMs?: number;
  /** Told to who deletes without saying what becomes of dependents. */
  undecidedDeletionWarning?: string;
  /** Default finalizer behaviour when DELETE names no propagation policy. */
  orphansByDefault?: boolean;
}

/** Takes back what an update may not change. `nowText` is the time of the request. */
export type PrepareUpdate = (next: ApiObject, previous: ApiObject, nowText: string) => void;

/** Generations that count changes of the spec. */
export const specGenerations: Pick<Strategy, 'desired'> = { desired: ({ spec }) => spec };

/** Between the stored form and the one that a group version shows. Neither changes its argument. */
export interface Conversion {
  /** Of the stored form. */
  storedApiVersion: string;
  /** Of the keys of stored objects. */
  keyPrefix: string;
  toStored(object: ApiObject): ApiObject;
  fromStored(object: ApiObject): ApiObject;
  /** The type of a version of a definition; undefined for one that it has not got. Absent: the kind is built in. */
  typeOf?(apiVersion: string): ObjectType | undefined;
  /** Present where another server turns objects of one version into those of another. */
  readonly remote?: RemoteConversion | undefined;
}

/** What only another server can do. */
export interface RemoteConversion {
  /** The objects in another version of their kind, in their order. Throws a StatusError when that server does not do it. */
  convert(objects: readonly ApiObject[], apiVersion: string): Promise<ApiObject[]>;
}

/** A resource as this server serves it. */
export interface ServedResource {
  readonly facts: ResourceFacts;
  /** Of its objects. */
  readonly type: ObjectType;
  readonly strategy: Strategy;
  /** Absent: stored as it is shown. */
  readonly conversion?: Conversion | undefined;
  /** What OpenAPI documents say of its objects. Absent: the type is built in, and known there. */
  components?(): CustomComponents;
  /** Keys of its objects begin with this: `/pods/`. */
  readonly keyPrefix: string;
}

/** The key of an object, or with name '' the prefix of a namespace (of everything, with namespace '' as well). */
export function keyOf(resource: ServedResource, namespace: string, name: string): string {
  const { keyPrefix, facts } = resource;
  if (!facts.namespaced) return `${keyPrefix}${name}`;
  return namespace === '' ? keyPrefix : `${keyPrefix}${namespace}/${name}`;
}
