import { once } from 'node:events';
import { type KubeClient, type LogOptions, logs as readLogs } from '@wherry/client';
import { sleep, systemClock } from '@wherry/clock';
import { StatusError } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { clientFor, type KubeFlags } from '../../kube/flags.ts';
import { LinePrefix } from '../../kube/line-prefix.ts';
import { findLogSources, type LogSource } from '../../kube/log-sources.ts';
import { limits } from '../../limits.ts';

/** Flags of `wherry logs`. Durations in milliseconds. */
export interface LogsFlags extends KubeFlags {
  container?: string;
  allContainers?: boolean;
  allPods?: boolean;
  selector?: string;
  prefix?: boolean;
  maxLogRequests: number;
  ignoreErrors?: boolean;
  insecureSkipTlsVerifyBackend?: boolean;
  podRunningTimeout: number;
  follow?: boolean;
  tail?: number;
  since?: number;
  sinceTime?: string;
  timestamps?: boolean;
  previous?: boolean;
  limitBytes?: number;
}

const tailWithSelector = 10;
const badRequest = 400;

/** Prints the logs of a pod's container, of all its containers, or of all pods that a selector finds. */
export async function logs(target: string | undefined, flags: LogsFlags): Promise<void> {
  refuseContradictions(flags);
  const client = clientFor(flags);
  const sources = await findLogSources(client, { ...flags, target });
  if (!flags.follow) {
    for (const source of sources) await print(client, source, flags);
    return;
  }
  if (sources.length > flags.maxLogRequests && sources.length > 1) {
    throw new CommandError(
      `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${flags.maxLogRequests}, use --max-log-requests to increase the limit`,
    );
  }
  const over = new AbortController();
  try {
    await Promise.all(sources.map((source) => print(client, source, flags, over.signal)));
  } finally {
    // Where one can't be followed, the others are no more.
    over.abort();
  }
}

/** In the order and the words of kubectl (logs.go). */
function refuseContradictions(flags: LogsFlags): void {
  const { sinceTime, since, allContainers, container, limitBytes = 0, tail = -1 } = flags;
  if (sinceTime !== undefined && Number.isNaN(Date.parse(sinceTime))) {
    throw new CommandError(`parsing time "${sinceTime}": not an RFC 3339 time such as 2006-01-02T15:04:05Z`);
  }
  if (sinceTime && since) {
    throw new CommandError('at most one of `sinceTime` or `sinceSeconds` may be specified');
  }
  if (allContainers && container) {
    throw new CommandError(`--all-containers=true should not be specified with container name ${container}`);
  }
  if (limitBytes < 0) throw new CommandError('--limit-bytes must be greater than 0');
  if (tail < -1) throw new CommandError('--tail must be greater than or equal to -1');
}

async function print(
  client: KubeClient,
  source: LogSource,
  flags: LogsFlags,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = systemClock.monotonicMs() + flags.podRunningTimeout;
  for (;;) {
    try {
      return await printOnce(client, source, flags, signal);
    } catch (error) {
      if (flags.ignoreErrors) {
        process.stdout.write(`error: ${(error as Error).message}\n`);
        return;
      }
      // A container that has yet to start is waited for by those who follow it.
      const mayStart = flags.follow && error instanceof StatusError && error.code === badRequest;
      if (!mayStart || systemClock.monotonicMs() > deadline) throw error;
      console.error(error.message);
      await sleep({ clock: systemClock, delayMs: limits.logStartPollMs, signal });
    }
  }
}

async function printOnce(
  client: KubeClient,
  { pod, container }: LogSource,
  flags: LogsFlags,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name = '', namespace } = pod.metadata;
  const isPrefixed = flags.prefix || flags.allPods;
  const prefix = isPrefixed ? new LinePrefix(`[pod/${name}/${container}] `) : undefined;
  const options = { ...logOptions(flags), pod: name, namespace, container, signal };
  for await (const chunk of readLogs(client, options)) {
    const text = prefix ? prefix.apply(chunk) : chunk;
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  if (prefix) process.stdout.write(prefix.rest());
}

function logOptions(flags: LogsFlags): Omit<LogOptions, 'pod'> {
  const { follow, timestamps, previous, since, sinceTime, selector } = flags;
  const tail = flags.tail ?? (selector ? tailWithSelector : -1);
  return {
    follow,
    timestamps,
    previous,
    limitBytes: flags.limitBytes || undefined,
    sinceSeconds: since ? Math.max(1, Math.round(since / 1000)) : undefined,
    sinceTime,
    tailLines: tail === -1 ? undefined : tail,
    insecureSkipTLSVerifyBackend: flags.insecureSkipTlsVerifyBackend,
  };
}
