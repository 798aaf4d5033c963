import { once } from 'node:events';
import { type KubeClient, kinds, type LogOptions, logs as readLogs } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';
import { chooseContainer } from '../kube/container-choice.ts';
import { clientFor, type KubeFlags } from '../kube/flags.ts';
import { LinePrefix } from '../kube/line-prefix.ts';
import { findPod, parseTarget } from '../kube/pod-target.ts';

/** Flags of `wherry logs`. Durations in milliseconds. */
export interface LogsFlags extends KubeFlags {
  container?: string;
  allContainers?: boolean;
  selector?: string;
  prefix?: boolean;
  maxLogRequests: number;
  follow?: boolean;
  tail?: number;
  since?: number;
  sinceTime?: string;
  timestamps?: boolean;
  previous?: boolean;
  limitBytes?: number;
}

interface Source {
  pod: Pod;
  container: string;
}

const tailWithSelector = 10;

/** Prints the logs of a pod's container, of all its containers, or of all pods that a selector finds. */
export async function logs(target: string | undefined, flags: LogsFlags): Promise<void> {
  if ((target === undefined) === (flags.selector === undefined)) {
    throw new CommandError('expected either a POD or TYPE/NAME, or a selector (-l)');
  }
  const client = clientFor(flags);
  const sources = await findSources(client, target, flags);
  if (!flags.follow) {
    for (const source of sources) await print(client, source, flags);
    return;
  }
  if (sources.length > flags.maxLogRequests) {
    throw new CommandError(
      `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${flags.maxLogRequests}, use --max-log-requests to increase the limit`,
    );
  }
  await Promise.all(sources.map((source) => print(client, source, flags)));
}

async function findSources(
  client: KubeClient,
  target: string | undefined,
  flags: LogsFlags,
): Promise<Source[]> {
  const namespace = flags.namespace ?? client.access.namespace;
  const pods =
    target === undefined
      ? (await client.resource(kinds.pods).listAll({ namespace, labelSelector: flags.selector })).items
      : [await findPod(client, parseTarget(target, namespace))];
  return pods.flatMap((pod) => containersOf(pod, flags).map((container) => ({ pod, container })));
}

function containersOf(pod: Pod, flags: LogsFlags): string[] {
  if (flags.allContainers) {
    const { initContainers = [], containers } = pod.spec;
    return [...initContainers, ...containers].map(({ name }) => name);
  }
  return [chooseContainer(pod, { wanted: flags.container, quiet: false, warn: console.error }).name];
}

async function print(client: KubeClient, { pod, container }: Source, flags: LogsFlags): Promise<void> {
  const { name = '', namespace } = pod.metadata;
  const prefix = flags.prefix ? new LinePrefix(`[pod/${name}/${container}] `) : undefined;
  for await (const chunk of readLogs(client, { ...logOptions(flags), pod: name, namespace, container })) {
    const text = prefix ? prefix.apply(chunk) : chunk;
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  if (prefix) process.stdout.write(prefix.rest());
}

function logOptions(flags: LogsFlags): Omit<LogOptions, 'pod'> {
  const { follow, timestamps, previous, limitBytes, since, sinceTime } = flags;
  const tailLines = flags.tail ?? (flags.selector ? tailWithSelector : undefined);
  const sinceSeconds = since === undefined ? undefined : Math.max(1, Math.round(since / 1000));
  return { follow, timestamps, previous, limitBytes, sinceSeconds, sinceTime, tailLines };
}
