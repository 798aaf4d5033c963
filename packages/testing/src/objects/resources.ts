import {
  type DiscoveredResource,
  discoverResources,
  type KubeClient,
  type KubeObject,
  type ResourceClient,
} from '@wherry/client';
import { TestingError } from '../errors.ts';

/** Which object: itself, its kind and name, or `KIND/NAME` as kubectl has it, of the default namespace. */
export type ObjectReference =
  | KubeObject
  | { apiVersion?: string | undefined; kind: string; name: string; namespace?: string | undefined }
  | `${string}/${string}`;

/** An object's place on the server. */
export interface Place {
  resource: ResourceClient<KubeObject>;
  name: string;
  namespace: string | undefined;
}

/** Finds where objects are kept, by what the server says it serves. Asks again for a kind that it did not know. */
export class Resources {
  readonly #client: KubeClient;
  #known: readonly DiscoveredResource[] = [];

  constructor(client: KubeClient) {
    this.#client = client;
  }

  /** Throws `TestingError` `bad-argument` for a kind that is not served. */
  async placeOf(reference: ObjectReference, signal?: AbortSignal): Promise<Place> {
    const { apiVersion, kind, name, namespace } = partsOf(reference);
    const found = this.#find(kind, apiVersion) ?? (await this.#findAnew(kind, apiVersion, signal));
    if (!found) {
      const what = apiVersion ? `${kind} of ${apiVersion}` : kind;
      throw new TestingError(
        'bad-argument',
        `the server has no kind "${what}"; runtimeConfig switches kinds on`,
      );
    }
    const place = found.namespaced ? (namespace ?? this.#client.access.namespace) : undefined;
    return { resource: this.#client.resource(found), name, namespace: place };
  }

  async #findAnew(kind: string, apiVersion: string | undefined, signal?: AbortSignal) {
    this.#known = (await discoverResources(this.#client, signal)).resources;
    return this.#find(kind, apiVersion);
  }

  /** By kind, plural, singular or short name; the server lists the preferred versions first. */
  #find(kind: string, apiVersion: string | undefined): DiscoveredResource | undefined {
    const lower = kind.toLowerCase();
    return this.#known.find((each) => {
      const names = [each.kind.toLowerCase(), each.plural, each.singular, ...each.shortNames];
      const version = each.group === '' ? each.version : `${each.group}/${each.version}`;
      return names.includes(lower) && (apiVersion === undefined || apiVersion === version);
    });
  }
}

interface ReferenceParts {
  apiVersion?: string | undefined;
  kind: string;
  name: string;
  namespace?: string | undefined;
}

function partsOf(reference: ObjectReference): ReferenceParts {
  if (typeof reference === 'string') {
    const [kind = '', name = '', ...rest] = reference.split('/');
    if (kind && name && rest.length === 0) return { kind, name };
    throw new TestingError('bad-argument', `"${reference}" is not of the form KIND/NAME`);
  }
  if ('name' in reference) return reference;
  const { apiVersion, kind, metadata } = reference;
  if (kind && metadata?.name) return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
  throw new TestingError('bad-argument', 'the object has no kind or no metadata.name');
}
