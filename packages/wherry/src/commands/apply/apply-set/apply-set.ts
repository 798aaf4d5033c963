import type { KubeClient, KubeObject } from '@wherry/client';
import { hasReason, kubernetesVersion } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { warnLine } from '../../../kube/warnings.ts';
import { type Catalog, withType } from '../../../objects/catalog.ts';
import type { FoundObject } from '../../../objects/find-objects.ts';
import type { GivenObject } from '../../../objects/given/each-manifest.ts';
import type { FoundManifest } from '../../../objects/manifests/manifests.ts';
import type { ApplyFlags } from '../flags.ts';
import {
  type Contents,
  contentsAnnotations,
  groupKind,
  readContents,
  resourcesOf,
  union,
} from './contents.ts';
import {
  findParent,
  idOf,
  keys,
  type Parent,
  readParent,
  refuseOtherParents,
  refuseOthersSet,
  typeOf,
} from './parent.ts';

/** Sets are kubectl's: it and wherry do the same with them, and so may take them from each other. */
const tool = 'kubectl';
const manager = `${tool}-applyset`;

/** What an apply set is opened with. */
export interface Opening {
  client: KubeClient;
  catalog: Catalog;
  flags: ApplyFlags;
}

/** What was applied together, and is pruned by the labels that it has (`--applyset`, KEP-3659). */
export class ApplySet {
  readonly #opening: Opening;
  readonly #parent: Parent;
  readonly #id: string;
  /** Before, and as it is applied now. */
  #before: Contents = { kinds: new Set(), namespaces: new Set() };
  readonly #now: Contents = { kinds: new Set(), namespaces: new Set() };

  private constructor(opening: Opening, parent: Parent) {
    this.#opening = opening;
    this.#parent = parent;
    this.#id = idOf(parent);
  }

  /** The set of `--applyset`, whose parent knows from here on of all that is about to be applied. Throws `CommandError` for a set that is not to be had. */
  static async open(opening: Opening, manifests: readonly FoundManifest[]): Promise<ApplySet> {
    const { client, catalog, flags } = opening;
    const parent = readParent(flags.applyset ?? '', catalog, flags.namespace);
    await refuseOtherParents(parent, client);
    const set = new ApplySet(opening, parent);
    for (const { object } of manifests) refuseLabelled(object);
    const found = await findParent(parent, client);
    if (found) {
      refuseOthersSet(parent, found, tool);
      set.#before = readContents(parent, found, catalog);
    }
    for (const { object } of manifests) set.#expect(object);
    await set.#update(union(set.#before, set.#now));
    return set;
  }

  /** The same object as a member of the set. */
  labelled(one: GivenObject): GivenObject {
    const { object } = one;
    const labels = { ...object.metadata?.labels, [keys.partOf]: this.#id };
    return { ...one, object: { ...object, metadata: { ...object.metadata, labels } } };
  }

  /** The members of before that were not applied now. */
  async left(kept: ReadonlySet<string>): Promise<FoundObject[]> {
    const { client, catalog } = this.#opening;
    const found: FoundObject[] = [];
    for (const resource of resourcesOf(this.#before, catalog)) {
      for (const namespace of resource.namespaced ? this.#before.namespaces : [undefined]) {
        const { items } = await client
          .resource<KubeObject>(resource)
          .listAll({ namespace, labelSelector: `${keys.partOf}=${this.#id}` })
          .catch((error: unknown) => {
            const { group, version, kind } = resource;
            const type = `${group}/${version}, Kind=${kind}`;
            throw new CommandError(`listing ${type} objects for pruning: ${(error as Error).message}`, {
              cause: error,
            });
          });
        for (const item of items) {
          const { uid = '', name = '' } = item.metadata ?? {};
          if (!kept.has(uid)) found.push({ resource, name, namespace, object: withType(resource, item) });
        }
      }
    }
    return found;
  }

  /** Lets the parent know what is left. */
  async close(): Promise<void> {
    try {
      await this.#update(this.#now);
    } catch (error) {
      const why = (error as Error).message;
      throw new CommandError(`apply and prune succeeded, but ApplySet update failed: ${why}`, {
        cause: error,
      });
    }
  }

  /** A kind that its own definition brings may not be there yet: then the file says where it is. */
  #expect(object: FoundManifest['object']): void {
    const { catalog, client, flags } = this.#opening;
    const { apiVersion, kind, metadata } = object;
    const slash = apiVersion.indexOf('/');
    const word = groupKind(apiVersion.slice(0, Math.max(slash, 0)), kind);
    this.#now.kinds.add(word);
    const known = catalog.resources.find((one) => groupKind(one.group, one.kind) === word);
    if (known?.namespaced ?? true)
      this.#now.namespaces.add(metadata.namespace ?? flags.namespace ?? client.access.namespace);
  }

  async #update(contents: Contents): Promise<void> {
    const { client, flags } = this.#opening;
    const { resource, name, namespace } = this.#parent;
    if (flags.dryRun === 'client') return;
    const patch = {
      ...typeOf(this.#parent),
      metadata: {
        ...{ name, namespace, labels: { [keys.id]: this.#id } },
        annotations: {
          [keys.tooling]: `${tool}/${kubernetesVersion}`,
          ...contentsAnnotations(contents, this.#parent),
        },
      },
    };
    const apply = (force: boolean) =>
      client.resource(resource).patch({
        ...{ type: 'apply', name, namespace, patch, force, fieldManager: manager },
        ...{ fieldValidation: flags.validate, dryRun: flags.dryRun === 'server' },
      } as const);
    try {
      await apply(false).catch((error: unknown) => {
        if (!hasReason(error, 'Conflict')) throw error;
        const why = `failed to update ApplySet: ${(error as Error).message}`;
        warnLine(
          `${why}\nApplySet field manager ${manager} should own these fields. Retrying with conflicts forced.`,
        );
        return apply(true);
      });
    } catch (error) {
      throw new CommandError(`failed to update ApplySet: ${(error as Error).message}`, { cause: error });
    }
  }
}

function refuseLabelled({ metadata }: FoundManifest['object']): void {
  const { labels } = metadata as { labels?: object };
  if (labels && Object.hasOwn(labels, keys.partOf))
    throw new CommandError(`ApplySet label "${keys.partOf}" already set in input data`);
}
