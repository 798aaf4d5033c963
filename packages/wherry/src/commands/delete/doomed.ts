import type { KubeClient, KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { Catalog } from '../../objects/catalog.ts';
import { meantObjects } from '../../objects/find-objects.ts';
import { type FoundManifest, readManifests } from '../../objects/manifests/manifests.ts';
import { namespaceOf } from '../../objects/namespace-of.ts';
import type { NamedObject } from '../../objects/targets.ts';
import type { Failures } from '../../output/failures.ts';
import type { DeleteFlags } from './flags.ts';

/** An object that is to go. */
export interface Doomed extends NamedObject {
  /** The file that names it. */
  source?: string;
}

/** Where doomed objects are looked for, and who hears of those that are not found. */
export interface DoomedOptions {
  words: readonly string[];
  flags: DeleteFlags;
  failures: Failures;
}

/** What words and flags mean: by name, there or not, and those that selectors find. */
export async function findDoomed(client: KubeClient, options: DoomedOptions): Promise<Doomed[]> {
  const { words, flags, failures } = options;
  if (flags.filename) return doomedByFiles(client, flags.filename, options);
  const { named, selections } = await meantObjects(client, { words, flags });
  const found: Doomed[] = [...named];
  const query = { labelSelector: flags.selector, fieldSelector: flags.fieldSelector };
  for (const { resource, namespace } of selections) {
    const listing = client.resource<KubeObject>(resource).listAll({ namespace, ...query });
    const items = (await failures.attempt(listing))?.items ?? [];
    found.push(
      ...items.map(({ metadata }) => {
        return { resource, name: metadata?.name ?? '', namespace: metadata?.namespace };
      }),
    );
  }
  return found;
}

async function doomedByFiles(
  client: KubeClient,
  filenames: readonly string[],
  { flags, failures }: DoomedOptions,
): Promise<Doomed[]> {
  const manifests = await readManifests(filenames, { isRecursive: flags.recursive === true, failures });
  const catalog = await Catalog.of(client);
  const found = manifests.map((manifest) => failures.attempt(doomedOf(manifest, catalog, { flags, client })));
  return (await Promise.all(found)).filter((one) => one !== undefined);
}

async function doomedOf(
  manifest: FoundManifest,
  catalog: Catalog,
  where: { flags: DeleteFlags; client: KubeClient },
): Promise<Doomed> {
  const { object, place, source } = manifest;
  const resource = catalog.ofObject(object);
  const { name } = object.metadata;
  if (name === undefined) throw new CommandError(`${place}: delete needs metadata.name`);
  return { resource, name, namespace: namespaceOf(manifest, resource, where), source };
}
