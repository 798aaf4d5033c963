import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { type Cascade, deleteOptions } from '../../objects/cascade.ts';
import { Catalog, typeName } from '../../objects/catalog.ts';
import { type FoundManifest, readManifests } from '../../objects/manifests/manifests.ts';
import { namespaceOf } from '../../objects/namespace-of.ts';
import { parseTargets } from '../../objects/targets.ts';
import { untilGone } from '../../objects/until-gone.ts';
import { orSaid } from '../../output/failures.ts';
import type { OutputFormat } from '../../output/output-format.ts';

/** Flags of `wherry delete`. */
export interface DeleteFlags extends KubeFlags {
  filename?: string[];
  recursive?: boolean;
  selector?: string;
  all?: boolean;
  allNamespaces?: boolean;
  /** Seconds; below 0 for each object's own. */
  gracePeriod: number;
  now?: boolean;
  force?: boolean;
  cascade: Cascade;
  ignoreNotFound?: boolean;
  wait: boolean;
  /** Milliseconds; 0 for as long as it takes. */
  timeout: number;
  output?: OutputFormat;
}

interface Doomed {
  resource: DiscoveredResource;
  name: string;
  namespace: string | undefined;
}

/** Deletes objects by name, file or selector, and waits until they are gone. One that can't be deleted keeps none of the others. */
export async function deleteObjects(words: readonly string[], flags: DeleteFlags): Promise<void> {
  refuseContradictions(words, flags);
  const client = clientFor(flags);
  const doomed = await findDoomed(client, words, flags);
  if (doomed.length === 0 && process.exitCode !== 1) console.log('No resources found');
  if (flags.force) {
    console.error(
      'Warning: with --force nobody waits until what runs has ended; it may run on as long as its node is away.',
    );
  }
  const going = new Map<Doomed, string | undefined>();
  for (const one of doomed) {
    const deleted = await orSaid(deleteOne(client, one, flags));
    if (!deleted) continue;
    going.set(one, deleted.uid);
    const forced = flags.force ? ' force' : '';
    const name = `${typeName(one.resource)}/${one.name}`;
    console.log(flags.output === 'name' ? name : `${typeName(one.resource)} "${one.name}"${forced} deleted`);
  }
  if (!flags.wait) return;
  const endMs = flags.timeout > 0 ? systemClock.monotonicMs() + flags.timeout : Number.POSITIVE_INFINITY;
  for (const [one, uid] of going) {
    const late = `timed out waiting for ${typeName(one.resource)} "${one.name}" to be gone`;
    await untilGone(client, one, { endMs, late, uid });
  }
}

/** In the words of kubectl, where it has them. */
function refuseContradictions(words: readonly string[], flags: DeleteFlags): void {
  const { filename, selector, all, allNamespaces, now, force, gracePeriod } = flags;
  if (now && gracePeriod !== -1) {
    throw new CommandError('--now and --grace-period cannot be specified together');
  }
  if (force && (now || gracePeriod > 0)) {
    throw new CommandError('--force and --grace-period greater than 0 cannot be specified together');
  }
  if (all && selector !== undefined) {
    throw new CommandError('cannot set --all and --selector at the same time');
  }
  const selects = all || selector !== undefined;
  if (filename) {
    if (words.length > 0) throw new CommandError('names and --filename exclude each other');
    if (selects || allNamespaces) {
      throw new CommandError(
        'a file names its objects; it goes without --all, --selector and --all-namespaces',
      );
    }
  }
  if (words.length < 2 && !words.some((word) => word.includes('/'))) return;
  if (selects) throw new CommandError('name cannot be provided when a selector is specified');
  if (allNamespaces) {
    throw new CommandError('a resource cannot be deleted by name across all namespaces');
  }
}

async function findDoomed(
  client: KubeClient,
  words: readonly string[],
  flags: DeleteFlags,
): Promise<Doomed[]> {
  const namespace = flags.namespace ?? client.access.namespace;
  if (flags.filename) {
    const manifests = await readManifests(flags.filename, { isRecursive: flags.recursive === true });
    const catalog = await Catalog.of(client);
    const found = manifests.map((manifest) => orSaid(doomedOf(manifest, catalog, { flags, client })));
    return (await Promise.all(found)).filter((one) => one !== undefined);
  }
  const targets = parseTargets(words, await Catalog.of(client));
  const found: Doomed[] = [];
  for (const { resource, names } of targets) {
    const own = resource.namespaced ? namespace : undefined;
    if (names.length > 0) found.push(...names.map((name) => ({ resource, name, namespace: own })));
    else found.push(...(await selected(client, resource, flags.allNamespaces ? undefined : own, flags)));
  }
  return found;
}

async function doomedOf(
  manifest: FoundManifest,
  catalog: Catalog,
  where: { flags: DeleteFlags; client: KubeClient },
): Promise<Doomed> {
  const resource = catalog.ofObject(manifest.object);
  const { name } = manifest.object.metadata;
  if (name === undefined) throw new CommandError(`${manifest.place}: delete needs metadata.name`);
  return { resource, name, namespace: namespaceOf(manifest, resource, where) };
}

async function selected(
  client: KubeClient,
  resource: DiscoveredResource,
  namespace: string | undefined,
  flags: DeleteFlags,
): Promise<Doomed[]> {
  if (flags.selector === undefined && !flags.all) {
    throw new CommandError(
      `resource(s) were provided, but no name was specified; --all means every one of them`,
    );
  }
  const { items } = await client.resource(resource).listAll({ namespace, labelSelector: flags.selector });
  return items.map(({ metadata }) => ({
    resource,
    name: metadata?.name ?? '',
    namespace: metadata?.namespace,
  }));
}

/** What goes; undefined where nothing is and that is fine, as with selectors, whose finds may go by themselves. */
async function deleteOne(
  client: KubeClient,
  one: Doomed,
  flags: DeleteFlags,
): Promise<{ uid: string | undefined } | undefined> {
  const objects = client.resource<KubeObject>(one.resource);
  try {
    const { metadata } = await objects.get(one);
    await objects.delete(one, deleteOptions(flags.cascade, gracePeriodOf(flags)));
    return { uid: metadata?.uid };
  } catch (error) {
    const mayBeGone = flags.ignoreNotFound || flags.all || flags.selector !== undefined;
    if (mayBeGone && hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** As kubectl's: nothing but `--force` leaves out the wait for what runs, so 0 alone is a second. */
function gracePeriodOf({ force, now, gracePeriod }: DeleteFlags): number {
  if (force) return 0;
  return now || gracePeriod === 0 ? 1 : gracePeriod;
}
