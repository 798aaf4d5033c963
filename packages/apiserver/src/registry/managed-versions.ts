import { exactJson, type JsonObject, type ManagedVersions, managedVersions } from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { RemoteConversion, ServedResource } from '../objects/strategy.ts';

/**
 * Does something with an object's managers in the versions that they have written by. Where another server converts,
 * `work` is begun anew for each object that it is asked for: it may change nothing. Rejects with that server's StatusErrors.
 */
export async function inManagedVersions<T>(
  { facts, conversion }: ServedResource,
  work: (versions: ManagedVersions | undefined) => T,
): Promise<T> {
  const remote = conversion?.remote;
  if (!remote) return work(managedVersions(facts));
  const versions = new RemoteVersions(remote, facts.kind);
  for (;;) {
    try {
      return work(versions);
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      await versions.fetch(error);
    }
  }
}

/** Asked for, and not converted yet. */
class MissingObject extends Error {
  readonly object: ApiObject;
  readonly apiVersion: string;
  readonly key: string;

  constructor(object: ApiObject, apiVersion: string, key: string) {
    super(`it is not known in ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
    this.key = key;
  }
}

class RemoteVersions implements ManagedVersions {
  readonly #remote: RemoteConversion;
  readonly #kind: string;
  readonly #known = new Map<string, JsonObject>();

  constructor(remote: RemoteConversion, kind: string) {
    this.#remote = remote;
    this.#kind = kind;
  }

  convert(object: JsonObject, from: string, to: string): JsonObject | undefined {
    if (!this.#remote.typeOf(to)) return undefined;
    const key = exactJson([from, to, object]);
    const known = this.#known.get(key);
    if (known) return known;
    const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
    if (Object.keys(content).length === 0) return { ...object, apiVersion: to };
    // Half of an object may be meant.
    const whole = { metadata: {}, ...content, apiVersion: from, kind: this.#kind };
    throw new MissingObject(whole as unknown as ApiObject, to, key);
  }

  nodeOf(apiVersion: string) {
    return this.#remote.typeOf(apiVersion)!.node;
  }

  async fetch({ object, apiVersion, key }: MissingObject): Promise<void> {
    const [converted] = await this.#remote.convert([object], apiVersion);
    this.#known.set(key, as<JsonObject>(converted!));
  }
}
