import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import { hasReason } from '@wherry/kubeapi';
import { clientFor } from '../../kube/flags.ts';
import { listedNamespace, nothingFound } from '../../kube/scope.ts';
import { withType } from '../../objects/catalog.ts';
import { describeObject } from '../../objects/description.ts';
import {
  type FoundObject,
  fetchMeant,
  type Meant,
  meantUnfiltered,
  type SelectFlags,
} from '../../objects/find-objects.ts';
import { Failures } from '../../output/failures.ts';
import { formatTable } from '../../output/table.ts';
import { lastSeen } from './events/columns.ts';
import { findEvents } from './events/find-events.ts';

/** Flags of `wherry describe`. */
export interface DescribeFlags extends SelectFlags {
  chunkSize: number;
  /** Undefined for those of an object that is described alone. */
  showEvents?: boolean;
}

/**
 * Prints every field of objects in words, and what happened to them. Of one name that is nobody's those whose names begin with it, as
 * kubectl takes it.
 */
export async function describe(words: readonly string[], flags: DescribeFlags): Promise<void> {
  const client = clientFor(flags);
  const meant = await meantUnfiltered(client, { words, flags, isAllByDefault: true });
  const failures = new Failures();
  const found = await fetchMeant(client, meant, { flags, failures });
  const alike =
    words.length === 2 && hasReason(failures.only, 'NotFound') ? await namedAlike(client, meant, flags) : [];
  const { showEvents = failures.isEmpty && found.length === 1 } = flags;
  if (alike.length > 0) return describeAll(client, alike, { ...flags, showEvents });
  await describeAll(client, found, { ...flags, showEvents });
  if (found.length === 0 && failures.isEmpty) console.error(nothingFound(listedNamespace(client, flags)));
  failures.report();
}

/** The objects of the type whose names begin with the only one that was meant. */
async function namedAlike(
  client: KubeClient,
  { named }: Meant,
  flags: DescribeFlags,
): Promise<FoundObject[]> {
  const [only, ...more] = named;
  if (!only || more.length > 0) return [];
  const failures = new Failures();
  const all = await fetchMeant(client, { named: [], selections: [only] }, { flags, failures });
  failures.report();
  return all.filter(({ name }) => name.startsWith(only.name));
}

async function describeAll(
  client: KubeClient,
  found: readonly FoundObject[],
  { showEvents, chunkSize }: { showEvents: boolean; chunkSize: number },
): Promise<void> {
  for (const [index, { resource, object }] of found.entries()) {
    if (index > 0) console.log('\n');
    console.log(describeObject(withType(resource, object)));
    if (showEvents) console.log(await eventsOf(client, { resource, object, chunkSize }));
  }
}

async function eventsOf(
  client: KubeClient,
  {
    resource: { kind, group },
    object: { metadata = {} },
    chunkSize,
  }: { resource: DiscoveredResource; object: KubeObject; chunkSize: number },
): Promise<string> {
  // Kubelets do not know their node's UID.
  const isNode = kind === 'Node' && group === '';
  const fieldSelector = isNode
    ? `involvedObject.kind=Node,involvedObject.name=${metadata.name}`
    : `involvedObject.uid=${metadata.uid}`;
  const events = await findEvents(client, { namespace: metadata.namespace, fieldSelector, chunkSize });
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
