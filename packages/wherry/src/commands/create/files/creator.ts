import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../../errors.ts';
import { Catalog } from '../../../objects/catalog.ts';
import { withCause } from '../../../objects/change-cause.ts';
import { asGiven } from '../../../objects/manifests/last-applied.ts';
import type { FoundManifest } from '../../../objects/manifests/manifests.ts';
import { namespaceOf } from '../../../objects/namespace-of.ts';
import { withoutVersion } from '../../../objects/without-version.ts';
import type { CreateFlags } from './flags.ts';

/** An object that is to be created, in its place. */
export interface Placed {
  resource: DiscoveredResource;
  /** Undefined for an object of the whole cluster. */
  namespace: string | undefined;
  object: KubeObject;
}

/** Creates objects of files at a server. */
export class Creator {
  readonly #client: KubeClient;
  readonly #flags: CreateFlags;
  #catalog: Catalog | undefined;

  constructor(client: KubeClient, flags: CreateFlags) {
    this.#client = client;
    this.#flags = flags;
  }

  /** The object of a file in its namespace, or in the one that it must be in. Throws `CommandError`. */
  async place(manifest: FoundManifest, { namespace = this.#flags.namespace } = {}): Promise<Placed> {
    const { object, place } = manifest;
    const resource = await this.#resourceOf(manifest).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(`${place}: ${error.message}`, { cause: error });
    });
    const flags = { ...this.#flags, namespace };
    const own = namespaceOf(manifest, resource, { flags, client: this.#client });
    const placed =
      own === undefined ? object : { ...object, metadata: { ...object.metadata, namespace: own } };
    return { resource, namespace: own, object: placed as KubeObject };
  }

  /** A definition among the objects may have brought a new kind. */
  async #resourceOf({ object }: FoundManifest): Promise<DiscoveredResource> {
    const isKnown = this.#catalog?.resources.some(({ kind }) => kind === object.kind);
    if (!this.#catalog || !isKnown) this.#catalog = await Catalog.of(this.#client);
    return this.#catalog.ofObject(object);
  }

  /** The object as it is then; in a dry run of the client it is made nowhere. */
  async create({ resource, namespace, object }: Placed): Promise<KubeObject> {
    const { fieldManager, dryRun, validate } = this.#flags;
    const given = withCause(asGiven(object, this.#flags), this.#flags);
    if (dryRun === 'client') return given;
    return this.#client.resource<KubeObject>(resource).create(withoutVersion(given), {
      ...{ namespace, fieldManager, fieldValidation: validate },
      dryRun: dryRun === 'server',
    });
  }
}
