import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { listedNamespace, nothingFound, refuseSelectors } from '../../kube/scope.ts';
import { Catalog, withType } from '../../objects/catalog.ts';
import { describeObject } from '../../objects/description.ts';
import { parseTargets } from '../../objects/targets.ts';
import { orSaid } from '../../output/failures.ts';
import { formatTable } from '../../output/table.ts';
import { findEvents, lastSeen } from './events.ts';

/** Flags of `wherry describe`. */
export interface DescribeFlags extends KubeFlags {
  allNamespaces?: boolean;
  selector?: string;
  /** False for `--show-events=false`. */
  showEvents: boolean;
}

/** Prints every field of objects in words, and what happened to them. */
export async function describe(words: readonly string[], flags: DescribeFlags): Promise<void> {
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const found: { resource: DiscoveredResource; object: KubeObject }[] = [];
  for (const { resource, names } of parseTargets(words, await Catalog.of(client))) {
    if (names.length > 0) refuseBesideNames(flags);
    const objects =
      names.length > 0
        ? await named(client, resource, names, namespace)
        : (await orSaid(client.resource(resource).listAll({ namespace, labelSelector: flags.selector })))
            ?.items;
    found.push(...(objects ?? []).map((object) => ({ resource, object })));
  }
  if (found.length === 0 && process.exitCode !== 1) console.error(nothingFound(namespace));
  for (const [index, { resource, object }] of found.entries()) {
    if (index > 0) console.log('\n');
    console.log(describeObject(withType(resource, object)));
    if (flags.showEvents) console.log(await eventsOf(client, resource, object));
  }
}

function refuseBesideNames(flags: DescribeFlags): void {
  refuseSelectors(flags);
  if (flags.allNamespaces) {
    throw new CommandError('a resource cannot be retrieved by name across all namespaces');
  }
}

/** The objects of these names; of a name that is nobody's those that begin with it, as kubectl takes it. */
async function named(
  client: KubeClient,
  resource: DiscoveredResource,
  names: readonly string[],
  namespace: string | undefined,
): Promise<KubeObject[]> {
  const objects = client.resource(resource);
  const found: KubeObject[] = [];
  for (const name of names) {
    const one = objects.get({ name, namespace }).then(
      (object) => [object],
      async (error: unknown) => {
        if (!hasReason(error, 'NotFound')) throw error;
        const { items } = await objects.listAll({ namespace });
        const alike = items.filter(({ metadata }) => metadata?.name?.startsWith(name));
        if (alike.length === 0) throw error;
        return alike;
      },
    );
    found.push(...((await orSaid(one)) ?? []));
  }
  return found;
}

async function eventsOf(
  client: KubeClient,
  { kind, group }: DiscoveredResource,
  { metadata = {} }: KubeObject,
): Promise<string> {
  // Kubelets do not know their node's UID.
  const isNode = kind === 'Node' && group === '';
  const fieldSelector = isNode
    ? `involvedObject.kind=Node,involvedObject.name=${metadata.name}`
    : `involvedObject.uid=${metadata.uid}`;
  const events = await findEvents(client, { namespace: metadata.namespace, fieldSelector });
  if (events.length === 0) return 'Events: <none>';
  const rows = events.map((event) => [
    `  ${event.type ?? ''}`,
    event.reason ?? '',
    lastSeen(event),
    event.source?.component ?? event.reportingComponent ?? '',
    (event.message ?? '').trim(),
  ]);
  return `Events:\n${formatTable(['  TYPE', 'REASON', 'AGE', 'FROM', 'MESSAGE'], rows)}`;
}
