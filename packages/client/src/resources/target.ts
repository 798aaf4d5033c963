import { ClientError } from '../errors.ts';
import type { BuiltInKinds } from '../generated/kinds.ts';
import type { KubeObject, ResourceType } from '../objects/objects.ts';
import type { KindRef } from './kind-names.ts';

/** An object whose type nobody has told. */
export interface UntypedObject extends KubeObject {
  readonly [field: string]: unknown;
}

/** An object by kind and name. */
export interface NamedObject {
  /** Or: */
  readonly kind?: string | undefined;
  readonly apiVersion?: string | undefined;
  readonly type?: ResourceType | undefined;
  readonly name: string;
  /** Default: the client's. */
  readonly namespace?: string | undefined;
}

/** Which object: itself, `KIND/NAME` as on kubectl's command lines, or kind and name apart. */
export type Target = string | NamedObject | KubeObject;

/** What an object has that is found by `R`: `Pod/web` is a Pod. */
export type ObjectAt<R> = R extends `${infer Kind extends keyof BuiltInKinds}/${string}`
  ? BuiltInKinds[Kind]
  : R extends { readonly type: ResourceType<infer T> }
    ? T
    : R extends { readonly kind: infer Kind extends keyof BuiltInKinds; readonly name: string }
      ? BuiltInKinds[Kind]
      : R extends string | { readonly name: string }
        ? UntypedObject
        : R;

/** What objects of a kind are: those of `Pod` are Pods. */
export type ObjectOfKind<R> = R extends keyof BuiltInKinds
  ? BuiltInKinds[R]
  : R extends ResourceType<infer T>
    ? T
    : UntypedObject;

/** A {@link Target}, taken apart. */
export interface ParsedTarget {
  kind: KindRef;
  name: string;
  namespace: string | undefined;
}

/** Throws `ClientError` `bad-argument` when kind or name is missing. */
export function parseTarget(target: Target): ParsedTarget {
  if (typeof target === 'string') return parsePair(target);
  if ('name' in target && typeof target.name === 'string') {
    const { type, kind, apiVersion, name, namespace } = target as NamedObject;
    return { kind: type ?? referenceOf(kind, apiVersion), name, namespace };
  }
  const { apiVersion, kind, metadata } = target as KubeObject;
  if (!metadata?.name) throw new ClientError('bad-argument', `the ${kind || 'object'} has no metadata.name`);
  return { kind: referenceOf(kind, apiVersion), name: metadata.name, namespace: metadata.namespace };
}

function parsePair(text: string): ParsedTarget {
  const slash = text.indexOf('/');
  const [kind, name] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 1 || name === '' || name.includes('/')) {
    throw new ClientError('bad-argument', `"${text}" is not of the form KIND/NAME`);
  }
  return { kind, name, namespace: undefined };
}

/** A kind without apiVersion is whatever the server calls so. */
function referenceOf(kind: string | undefined, apiVersion: string | undefined): KindRef {
  if (!kind) throw new ClientError('bad-argument', 'the object says no kind');
  return apiVersion ? { apiVersion, kind } : kind;
}
