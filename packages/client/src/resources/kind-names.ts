import { orAborted } from '@wherry/bytes';
import { findResourceOfKind, formatApiVersion, parseApiVersion, resources } from '@wherry/kubeapi/objects';
import { ClientError } from '../errors.ts';
import * as kinds from '../generated/kinds.ts';
import type { ResourceType } from '../objects/objects.ts';
import { type DiscoveredResource, type DiscoverySender, discoverResources } from './discovery.ts';

/** A kind: a {@link ResourceType}, an object or its apiVersion and kind, or any name that kubectl knows it by. */
export type KindRef = string | ResourceType | { readonly apiVersion?: string; readonly kind?: string };

/** Of kinds with one name the first in the order of the schema, not of the module: `BuiltInKinds` has its type. */
const builtIn = new Map<string, ResourceType>();
const ofModule = new Set<ResourceType>(Object.values(kinds));
for (const type of resources) {
  if (ofModule.has(type) && !builtIn.has(type.kind)) builtIn.set(type.kind, type);
}

/** What the server is asked, or has answered, and who waits for it. */
interface Asked {
  answer: Promise<readonly DiscoveredResource[]>;
  isAnswered: boolean;
  waiting: number;
  stop: AbortController;
}

/**
 * Finds out which resource a kind is. Built-in kinds are known; others the server is asked for, once, and again when a
 * name is missing from what it said then. Of several who wait for one answer each may give up alone.
 */
export class KindNames {
  readonly #sender: DiscoverySender;
  #asked: Asked | undefined;

  constructor(sender: DiscoverySender) {
    this.#sender = sender;
  }

  /** Throws `ClientError` `unknown-kind`, or as discovery does. */
  async find(kind: KindRef, signal?: AbortSignal): Promise<ResourceType> {
    const known = builtInType(kind);
    if (known) return known;
    const asked = this.#asked;
    const earlier = asked && match(await this.#wait(asked, signal), kind);
    if (earlier) return earlier;
    signal?.throwIfAborted();
    // Whoever missed something in the same answer shares the next one.
    if (this.#asked === asked || !this.#asked) this.#asked = this.#ask();
    const found = match(await this.#wait(this.#asked, signal), kind);
    if (found) return found;
    throw new ClientError('unknown-kind', `the server has no resource type ${describe(kind)}`);
  }

  #ask(): Asked {
    const stop = new AbortController();
    const answer = discoverResources(this.#sender, stop.signal).then(({ resources }) => resources);
    const asked: Asked = { answer, isAnswered: false, waiting: 0, stop };
    answer.then(
      () => {
        asked.isAnswered = true;
      },
      () => this.#forget(asked),
    );
    return asked;
  }

  /** When the last who waits gives up, the server is asked no more. */
  async #wait(asked: Asked, signal: AbortSignal | undefined): Promise<readonly DiscoveredResource[]> {
    asked.waiting += 1;
    try {
      return await orAborted(asked.answer, signal);
    } finally {
      asked.waiting -= 1;
      if (asked.waiting === 0 && !asked.isAnswered) {
        this.#forget(asked);
        asked.stop.abort(new ClientError('closed', 'nobody waits for the answer'));
      }
    }
  }

  /** What failed, or was given up, is asked for anew by the next. */
  #forget(asked: Asked): void {
    if (this.#asked === asked) this.#asked = undefined;
  }
}

/** The resource of a built-in kind, which no server has under another name; `Pod` is one, `pods` any server's own. */
export function builtInType(kind: KindRef): ResourceType | undefined {
  if (typeof kind === 'string') return builtIn.get(kind);
  if ('plural' in kind) return kind;
  if (!kind.kind) throw new ClientError('bad-argument', 'the object says no kind');
  if (!kind.apiVersion) return builtIn.get(kind.kind);
  const at = parseApiVersion(kind.apiVersion);
  return at && findResourceOfKind({ ...at, kind: kind.kind });
}

function match(resources: readonly DiscoveredResource[], kind: KindRef): DiscoveredResource | undefined {
  if (typeof kind !== 'string') {
    const { apiVersion, kind: name } = kind as { apiVersion?: string; kind?: string };
    return resources.find(
      (resource) =>
        resource.kind === name &&
        (!apiVersion || formatApiVersion(resource.group, resource.version) === apiVersion),
    );
  }
  const wanted = kind.toLowerCase();
  const [name, ...rest] = wanted.split('.');
  const suffix = rest.join('.');
  return resources.find(
    (resource) =>
      isNamed(resource, wanted) || (suffix !== '' && isNamed(resource, name) && isOf(resource, suffix)),
  );
}

function isNamed(
  { plural, singular, kind, shortNames }: DiscoveredResource,
  name: string | undefined,
): boolean {
  return name !== undefined && [plural, singular, kind.toLowerCase(), ...shortNames].includes(name);
}

/** `apps` or `v1.apps`, as in `deployments.v1.apps`. */
function isOf({ group, version }: DiscoveredResource, suffix: string): boolean {
  return suffix === group || suffix === `${version}.${group}`;
}

function describe(kind: KindRef): string {
  if (typeof kind === 'string') return `"${kind}"`;
  const { apiVersion, kind: name } = kind as { apiVersion?: string; kind?: string };
  return `"${name}"${apiVersion ? ` in "${apiVersion}"` : ''}`;
}
