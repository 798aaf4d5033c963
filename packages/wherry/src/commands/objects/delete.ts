import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { limits } from '../../limits.ts';
import { Catalog, typeName } from '../../objects/catalog.ts';
import { readManifests } from '../../objects/manifests.ts';
import { parseTargets } from '../../objects/targets.ts';
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
  cascade: 'background' | 'foreground' | 'orphan';
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

const propagation = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const;

/** Deletes objects by name, file or selector, and waits until they are gone. */
export async function deleteObjects(words: readonly string[], flags: DeleteFlags): Promise<void> {
  const client = clientFor(flags);
  const doomed = await findDoomed(client, words, flags);
  if (doomed.length === 0) console.log('No resources found');
  const going = new Map<Doomed, string | undefined>();
  for (const one of doomed) {
    const uid = await deleteOne(client, one, flags);
    if (uid === 'absent') continue;
    going.set(one, uid);
    const forced = flags.force ? ' force' : '';
    const name = `${typeName(one.resource)}/${one.name}`;
    console.log(flags.output === 'name' ? name : `${typeName(one.resource)} "${one.name}"${forced} deleted`);
  }
  if (!flags.wait) return;
  const deadline = flags.timeout > 0 ? systemClock.monotonicMs() + flags.timeout : Number.POSITIVE_INFINITY;
  for (const [one, uid] of going) await waitUntilGone(client, one, uid, deadline);
}

async function findDoomed(
  client: KubeClient,
  words: readonly string[],
  flags: DeleteFlags,
): Promise<Doomed[]> {
  const namespace = flags.namespace ?? client.access.namespace;
  if (flags.filename) {
    if (words.length > 0) throw new CommandError('names and --filename exclude each other');
    const manifests = await readManifests(flags.filename, { isRecursive: flags.recursive === true });
    const catalog = await Catalog.of(client);
    return manifests.map(({ object }) => {
      const resource = catalog.ofObject(object);
      const own = object.metadata.namespace ?? namespace;
      return { resource, name: object.metadata.name ?? '', namespace: resource.namespaced ? own : undefined };
    });
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

/** The UID of what goes, `absent` where nothing is and that is fine. */
async function deleteOne(client: KubeClient, one: Doomed, flags: DeleteFlags): Promise<string | undefined> {
  const objects = client.resource<KubeObject>(one.resource);
  try {
    const { metadata } = await objects.get(one);
    const gracePeriodSeconds = flags.force ? 0 : flags.now ? 1 : flags.gracePeriod;
    await objects.delete(one, {
      propagationPolicy: propagation[flags.cascade],
      ...(gracePeriodSeconds < 0 ? {} : { gracePeriodSeconds }),
    });
    return metadata?.uid;
  } catch (error) {
    if (flags.ignoreNotFound && hasReason(error, 'NotFound')) return 'absent';
    throw error;
  }
}

async function waitUntilGone(
  client: KubeClient,
  one: Doomed,
  uid: string | undefined,
  deadline: number,
): Promise<void> {
  for (;;) {
    try {
      const { metadata } = await client.resource<KubeObject>(one.resource).get(one);
      if (metadata?.uid !== uid) return;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return;
      throw error;
    }
    if (systemClock.monotonicMs() > deadline) {
      throw new CommandError(`timed out waiting for ${typeName(one.resource)} "${one.name}" to be gone`);
    }
    await sleep({ clock: systemClock, delayMs: limits.deletionPollMs });
  }
}
