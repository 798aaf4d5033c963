import type { KubeObject, ResourceClient } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasReason, type JsonObject } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { deleteOptions } from '../../objects/deletion/cascade.ts';
import { untilGone } from '../../objects/deletion/until-gone.ts';
import { patchedHere } from '../../objects/local-patch.ts';
import { type TypedPatch, threeWayPatch } from '../../objects/manifests/three-way-patch.ts';
import { withSource } from '../../objects/manifests/with-source.ts';
import { withoutVersion } from '../../objects/without-version.ts';
import { type Applying, writeOptions } from './applying.ts';

/** What {@link Patching} is told. */
export interface PatchingOptions extends Applying {
  /** The object of the file, with itself as what was given last. */
  wanted: KubeObject;
}

/** An object that is there becomes one that is wanted, as client-side apply does it. */
export class Patching {
  readonly #options: PatchingOptions;
  /** What differed last; empty where nothing did. */
  patch: JsonObject = {};

  constructor(options: PatchingOptions) {
    this.#options = options;
  }

  /** The object as it would be, without a server. Throws `CommandError`. */
  here(live: KubeObject): KubeObject {
    const change = this.#changeOf(live);
    return this.#isSame ? live : patchedHere(live, change);
  }

  /** Throws what the server refuses. */
  async atServer(live: KubeObject): Promise<KubeObject> {
    const { one, flags } = this.#options;
    let current = live;
    try {
      for (let retries = 0; ; retries += 1) {
        try {
          return await this.#send(current);
        } catch (error) {
          if (!hasReason(error, 'Conflict') || retries === limits.applyRetriesMax) throw error;
        }
        if (retries > 0) await sleep({ clock: systemClock, delayMs: limits.applyRetryMs });
        current = await this.#objects.get(this.#key);
      }
    } catch (error) {
      const isHopeless = hasReason(error, 'Conflict') || hasReason(error, 'Invalid');
      if (isHopeless && flags.force) return this.#createAnew(current);
      throw withSource(error, 'patching', one.source);
    }
  }

  get #isSame(): boolean {
    return Object.keys(this.patch).length === 0;
  }

  get #objects(): ResourceClient<KubeObject> {
    const { client, one } = this.#options;
    return client.resource<KubeObject>(one.resource);
  }

  get #key(): { name: string; namespace: string | undefined } {
    const { name, one } = this.#options;
    return { name, namespace: one.namespace };
  }

  #changeOf(live: KubeObject): TypedPatch {
    const { wanted, flags } = this.#options;
    this.patch = {};
    const change = threeWayPatch(live, wanted, { overwrites: flags.overwrite !== false });
    this.patch = change.patch;
    return change;
  }

  async #send(live: KubeObject): Promise<KubeObject> {
    const change = this.#changeOf(live);
    if (this.#isSame) return live;
    return await this.#objects.patch({ ...change, ...this.#key, ...writeOptions(this.#options.flags) });
  }

  /** What was there before comes back when the new one is refused. */
  async #createAnew(live: KubeObject): Promise<KubeObject> {
    const { client, one, wanted, flags } = this.#options;
    await this.#objects.delete(this.#key, deleteOptions(flags.cascade, flags.gracePeriod));
    const endMs = systemClock.monotonicMs() + (flags.timeout || limits.forcedReplaceTimeoutMs);
    const { resource } = one;
    await untilGone(client, { resource, ...this.#key }, { endMs, late: 'context deadline exceeded' });
    try {
      return await this.#create(wanted);
    } catch (error) {
      await this.#create(live).catch((second: Error) => {
        throw new CommandError(
          `An error occurred force-replacing the existing object with the newly provided one:\n\n${(error as Error).message}.\n\nAdditionally, an error occurred attempting to restore the original object:\n\n${second.message}`,
          { cause: error },
        );
      });
      throw error;
    }
  }

  #create(object: KubeObject): Promise<KubeObject> {
    const { namespace } = this.#key;
    const options = { namespace, ...writeOptions(this.#options.flags) };
    return this.#objects.create(withoutVersion(object), options);
  }
}
