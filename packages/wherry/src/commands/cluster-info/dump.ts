import { type KubeClient, type KubeList, type KubeObject, kinds, type ResourceType } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { groupVersionOf } from '../../objects/catalog.ts';
import { printedObject } from '../../objects/printed-object.ts';
import { Failures } from '../../output/failures.ts';
import { formatValue, isToTheLetter } from '../../output/listing.ts';
import type { ValueFormat } from '../../output/output-format.ts';
import { dumpLog } from './dump-log.ts';
import { type DumpTarget, folderTarget, printedTarget } from './dump-target.ts';

/** Flags of `wherry cluster-info dump`. */
export interface DumpFlags extends KubeFlags {
  /** Empty or `-` for standard output. */
  outputDirectory?: string;
  namespaces?: string[];
  /** Whatever `namespaces` says. */
  allNamespaces?: boolean;
  showManagedFields?: boolean;
  output?: ValueFormat;
}

/** What is dumped of each namespace, by the name of its file. */
const dumped: readonly [file: string, kind: ResourceType][] = [
  ['events', kinds.events],
  ['replication-controllers', kinds.replicationControllers],
  ['services', kinds.services],
  ['daemonsets', kinds.daemonSets],
  ['deployments', kinds.deployments],
  ['replicasets', kinds.replicaSets],
];

/**
 * Writes down nodes, and of each namespace its workloads, services, events and the logs of its pods. A name of the server's that
 * would lead out of the folder is no file's, and said at the end.
 */
export async function dump(flags: DumpFlags): Promise<void> {
  const client = clientFor(flags);
  const { outputDirectory: folder = '', output = 'json' } = flags;
  const isPrinted = folder === '' || folder === '-';
  const target = isPrinted ? printedTarget(output) : folderTarget(folder, output);
  const lists: Lists = { client, target, flags };
  const failures = new Failures();
  await dumpList(lists, 'nodes', kinds.nodes);
  for (const namespace of await namespacesOf(client, flags))
    await failures.attempt(dumpNamespace(lists, namespace, failures));
  if (!isPrinted && failures.isEmpty) console.log(`Cluster info dumped to ${folder}`);
  failures.report();
}

interface Lists {
  client: KubeClient;
  target: DumpTarget;
  flags: DumpFlags;
}

async function namespacesOf(client: KubeClient, flags: DumpFlags): Promise<string[]> {
  if (flags.allNamespaces) {
    const { items } = await client.resource(kinds.namespaces).listAll();
    return items.map(({ metadata }) => metadata.name ?? '');
  }
  return flags.namespaces ?? [...new Set(['kube-system', flags.namespace ?? client.access.namespace])];
}

async function dumpNamespace(lists: Lists, namespace: string, failures: Failures): Promise<void> {
  const { client, target } = lists;
  for (const [file, kind] of dumped) await dumpList(lists, target.place(namespace, file), kind, namespace);
  const pods = await dumpList<Pod>(lists, target.place(namespace, 'pods'), kinds.pods, namespace);
  for (const pod of pods) {
    const work = async () => {
      const log = target.open(target.place(namespace, pod.metadata.name ?? '', 'logs'));
      try {
        for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
          await dumpLog(client, { pod, container: name }, log);
      } finally {
        await log.close();
      }
    };
    await failures.attempt(work());
  }
}

/** Writes down one list as a whole, and gives back what is in it. */
async function dumpList<T extends KubeObject>(
  { client, target, flags }: Lists,
  place: string,
  kind: ResourceType<T>,
  namespace?: string,
): Promise<T[]> {
  const list = await client.resource<T>(kind).listAll({ namespace });
  await target.write(place, textOf(list, kind, flags));
  return list.items;
}

function textOf<T extends KubeObject>(
  { metadata = {}, items }: KubeList<T>,
  kind: ResourceType<T>,
  { output = 'json', showManagedFields }: DumpFlags,
): string {
  const list = {
    ...{ kind: `${kind.kind}List`, apiVersion: groupVersionOf(kind), metadata },
    items: items.map((item) => printedObject(item, { output, showManagedFields, isTyped: true })),
  };
  const text = formatValue(list, output);
  return isToTheLetter(output) ? text : `${text}\n`;
}
