import { mkdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import type { PodStore } from '../../board/pod-store.ts';
import { describe } from '../../ground/describe-error.ts';
import type { PodCache } from '../../observation/pod-cache.ts';
import { newestContainer } from '../../observation/pod-record.ts';
import { findContainer } from '../../pod/containers.ts';
import { answerJson, HttpError } from '../answers.ts';
import { containerTarget, requirePod } from '../pod-paths.ts';

/** What checkpoints are made with. */
export interface CheckpointOptions {
  runtime: CriClient['runtime'];
  store: PodStore;
  cache: PodCache;
  clock: Clock;
  /** Folder of the archives; made when the first is asked for. */
  folder: string;
  /** How long the runtime may take, unless the request gives it longer. */
  requestTimeoutMs: number;
}

/** `POST /checkpoint/{ns}/{pod}/{container}`: has the runtime write the container's state to an archive, whose path is answered. */
export async function serveCheckpoint(
  response: ServerResponse,
  url: URL,
  { runtime, store, cache, clock, folder, requestTimeoutMs }: CheckpointOptions,
): Promise<void> {
  const target = containerTarget(url.pathname);
  const pod = requirePod(store, target?.uid ? undefined : target);
  const name = target?.container ?? '';
  if (!findContainer(pod, name)) throw new HttpError(404, `container ${name} does not exist`);
  const timeout = Math.max(requestedTimeout(url.searchParams), Math.floor(requestTimeoutMs / 1_000));
  const { metadata } = pod;
  try {
    const containerId = newestContainer(await cache.get(metadata.uid), name)?.id;
    if (!containerId) throw new Error(`container ${name} not found`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const time = new Date(clock.nowMs()).toISOString().replace(/\.\d+/, '');
    const location = join(folder, `checkpoint-${metadata.name}_${metadata.namespace}-${name}-${time}.tar`);
    await runtime.checkpointContainer({ containerId, location, timeout }, { timeoutMs: timeout * 1_000 });
    answerJson(response, { items: [location] });
  } catch (error) {
    const what = `checkpointing of ${metadata.namespace}/${metadata.name}/${name} failed`;
    throw new HttpError(500, `${what} (${describe(error)})`);
  }
}

/** Seconds, by the last parameter of that name; 0 without one. */
function requestedTimeout(query: URLSearchParams): number {
  const text = query.getAll('timeout').at(-1) ?? '0';
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new HttpError(
    404,
    `cannot parse value of timeout parameter ${JSON.stringify(text)}: it is a number of seconds`,
  );
}
