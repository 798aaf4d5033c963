import {
  exactJson,
  formatApiVersion,
  type JsonObject,
  type ManagedVersions,
  managedVersions,
  type ObjectType,
  parseApiVersion,
  type ResourceFacts,
  StatusError,
} from '@wherry/kubeapi';
import { type ApiObject, as } from '../objects/api-object.ts';
import type { RemoteConversion, ServedResource } from '../objects/strategy.ts';

/**
 * Does something with an object's managers in the versions that they have written by. Where another server converts,
 * `work` is begun anew for each object that it is asked for: it may change nothing. Rejects with that server's StatusErrors,
 * and with {@link UnknownVersionError} where a custom resource has managers in versions that there are not.
 */
export async function inManagedVersions<T>(
  { facts, conversion }: ServedResource,
  work: (versions: ManagedVersions | undefined) => T,
): Promise<T> {
  if (!conversion?.typeOf) return work(managedVersions(facts));
  const typeOf = (apiVersion: string) => conversion.typeOf?.(apiVersion);
  if (!conversion.remote) return work(new DefinedVersions(facts, typeOf));
  const versions = new RemoteVersions(facts, typeOf, conversion.remote);
  for (;;) {
    try {
      return work(versions);
    } catch (error) {
      if (!(error instanceof MissingObject)) throw error;
      await versions.fetch(error);
    }
  }
}

/** A definition has no version of that name, or not any more; 500 in upstream's words, without a reason. */
export class UnknownVersionError extends StatusError {
  constructor(apiVersion: string, { group, version, kind }: ResourceFacts) {
    const isOther = parseApiVersion(apiVersion)?.group !== group;
    const own = `${formatApiVersion(group, version)}, Kind=${kind}`;
    const message = isOther
      ? `${own} is unstructured and is not suitable for converting to ${JSON.stringify(apiVersion)}`
      : `request to convert CR to an invalid group/version: ${apiVersion}`;
    super({ code: 500, reason: 'Unknown', message });
  }
}

/** Those of a definition. Here they differ in nothing but their names and schemas. */
class DefinedVersions implements ManagedVersions {
  readonly #facts: ResourceFacts;
  readonly #typeOf: (apiVersion: string) => ObjectType | undefined;

  constructor(facts: ResourceFacts, typeOf: (apiVersion: string) => ObjectType | undefined) {
    this.#facts = facts;
    this.#typeOf = typeOf;
  }

  convert(object: JsonObject, _from: string, to: string): JsonObject {
    if (!this.#typeOf(to)) throw new UnknownVersionError(to, this.#facts);
    return { ...object, apiVersion: to };
  }

  nodeOf(apiVersion: string): ObjectType['node'] {
    return this.#typeOf(apiVersion)!.node;
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

/** Those that another server converts between. */
class RemoteVersions extends DefinedVersions {
  readonly #remote: RemoteConversion;
  readonly #kind: string;
  readonly #known = new Map<string, JsonObject>();

  constructor(
    facts: ResourceFacts,
    typeOf: (apiVersion: string) => ObjectType | undefined,
    remote: RemoteConversion,
  ) {
    super(facts, typeOf);
    this.#remote = remote;
    this.#kind = facts.kind;
  }

  override convert(object: JsonObject, from: string, to: string): JsonObject {
    const renamed = super.convert(object, from, to);
    const { apiVersion: _apiVersion, kind: _kind, ...content } = object;
    if (Object.keys(content).length === 0) return renamed;
    const key = exactJson([from, to, object]);
    const known = this.#known.get(key);
    if (known) return known;
    // Half of an object may be meant.
    const whole = { metadata: {}, ...content, apiVersion: from, kind: this.#kind };
    throw new MissingObject(whole as unknown as ApiObject, to, key);
  }

  async fetch({ object, apiVersion, key }: MissingObject): Promise<void> {
    const [converted] = await this.#remote.convert([object], apiVersion);
    this.#known.set(key, as<JsonObject>(converted!));
  }
}
