import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Timer } from '@wherry/clock';
import { EagerWriteback, hasCode } from '@wherry/linux';
import { ImageError, messageOf } from '../errors.ts';
import type { FileSlice } from '../layers/compression.ts';
import { hexOf } from '../layers/digest.ts';
import { FreeRoom } from '../layers/free-room.ts';
import { limits } from '../limits.ts';
import type { Descriptor } from '../store/manifest.ts';
import type { TransportAnswer } from '../transport/transport.ts';
import { unread } from './answer-body.ts';
import type { OnProgress } from './progress.ts';
import { RegistryUnavailableError } from './registry-unavailable.ts';
import type { Repository } from './repository.ts';
import { withRetries } from './retries.ts';

/** Where a download goes, and how long it may go on. */
export interface DownloadOptions {
  path: string;
  clock: Clock;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
  /** Told of each piece how many bytes it has. */
  received?: ((bytes: number) => void) | undefined;
}

/**
 * Downloads a blob into a file, going on where an earlier attempt stopped, and checks size and digest. Rejects with
 * the signal's reason, `RegistryUnavailableError` after several torn attempts, or `ImageError`.
 */
export async function downloadBlob(
  repository: Repository,
  blob: Descriptor,
  options: DownloadOptions,
): Promise<FileSlice> {
  const once = () =>
    downloadOnce(repository, blob, options).catch((cause) => {
      options.signal.throwIfAborted();
      if (cause instanceof ImageError) throw cause;
      const why = `the download of ${blob.digest} was torn off: ${messageOf(cause)}`;
      throw new RegistryUnavailableError(why, { failure: 'torn', cause });
    });
  const { clock, signal } = options;
  return withRetries(once, { clock, signal, after: ['unreached', 'refused', 'torn'] });
}

async function downloadOnce(
  repository: Repository,
  blob: Descriptor,
  { path, clock, signal, onProgress, received }: DownloadOptions,
): Promise<FileSlice> {
  const present = createHash('sha256');
  const have = await hashPresent(path, blob.size, present);
  if (have > blob.size) throw await damaged(path, blob, `it has ${have} bytes instead of ${blob.size}`);
  const reception = { path, clock, signal, onProgress, received, have, hash: present };
  const hash = have < blob.size ? await receive(repository, blob, reception) : present;
  const digest = hash.digest('hex');
  if (digest !== hexOf(blob.digest)) throw await damaged(path, blob, `its digest is sha256:${digest}`);
  return { path, offset: 0, length: blob.size };
}

async function damaged(path: string, blob: Descriptor, why: string): Promise<ImageError> {
  await rm(path, { force: true });
  return new ImageError('UNKNOWN', `blob ${blob.digest} from the registry is damaged: ${why}`);
}

/** Feeds what an earlier attempt left into the hash; answers how many bytes there are. */
async function hashPresent(path: string, size: number, hash: Hash): Promise<number> {
  const status = await stat(path).catch(() => undefined);
  if (!status || status.size === 0 || status.size > size) return status?.size ?? 0;
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return status.size;
}

interface Reception extends DownloadOptions {
  have: number;
  /** Of what is there. */
  hash: Hash;
}

/** Receives what is missing, or everything from a registry that knows no ranges. Answers the hash of the whole. */
async function receive(repository: Repository, blob: Descriptor, reception: Reception): Promise<Hash> {
  const { path, have, signal, onProgress, received: tell } = reception;
  const headers: Record<string, string> = have > 0 ? { range: `bytes=${have}-` } : {};
  let answer: TransportAnswer;
  try {
    answer = await repository.blob(blob.digest, headers, signal);
  } catch (error) {
    signal.throwIfAborted();
    // What is refused may be the range alone (416): the next attempt asks for the whole.
    if (have > 0 && !(error instanceof RegistryUnavailableError)) throw await unresumable(path, blob, error);
    throw error;
  }
  const isWhole = have > 0 && answer.status === 200;
  if (have > 0 && !isWhole && !continues(answer, have)) {
    unread(answer);
    throw await unresumable(path, blob);
  }
  const hash = isWhole ? createHash('sha256') : reception.hash;
  const from = isWhole ? 0 : have;
  const file = await open(path, isWhole ? 'w' : 'a', 0o600);
  const room = new FreeRoom(dirname(path));
  const writeback = new EagerWriteback(file.fd);
  let received = from;
  let told = from;
  try {
    for await (const chunk of withStallLimit(answer, reception.clock)) {
      received += chunk.length;
      tell?.(chunk.length);
      if (received > blob.size) throw await damaged(path, blob, `it has more than ${blob.size} bytes`);
      room.check(chunk.length);
      hash.update(chunk);
      await file.writeFile(chunk);
      writeback.wroteTo(received);
      if (received - told < limits.progressBytes && received < blob.size) continue;
      told = received;
      onProgress?.({
        digest: blob.digest,
        phase: 'downloading',
        doneBytes: received,
        totalBytes: blob.size,
      });
    }
  } catch (error) {
    const isFull = hasCode(error, 'ENOSPC', 'EDQUOT');
    const isRefused = error instanceof ImageError && !(error instanceof RegistryUnavailableError);
    // A part that fills the disk is not kept for a later attempt.
    if (isFull || isRefused) await rm(path, { force: true });
    throw isFull
      ? new ImageError('UNKNOWN', `no space left for blob ${blob.digest}`, { cause: error })
      : error;
  } finally {
    await file.close();
  }
  if (received < blob.size)
    throw new RegistryUnavailableError(`blob ${blob.digest} ended after ${received} bytes`, {
      failure: 'torn',
    });
  return hash;
}

async function unresumable(path: string, blob: Descriptor, cause?: unknown): Promise<Error> {
  await rm(path, { force: true });
  const why = cause === undefined ? '' : `: ${messageOf(cause)}`;
  return new RegistryUnavailableError(`blob ${blob.digest} cannot be resumed${why}`, {
    failure: 'torn',
    cause,
  });
}

/** Whether an answer is the rest of a blob from `have` on, and not another piece of it. */
const continues = ({ status, headers }: TransportAnswer, have: number): boolean =>
  status === 206 && (headers['content-range'] ?? `bytes ${have}-`).startsWith(`bytes ${have}-`);

/** The body's chunks; fails when none comes for `pullStallMs`. */
async function* withStallLimit({ body }: TransportAnswer, clock: Clock): AsyncGenerator<Uint8Array> {
  let timer: Timer | undefined;
  const wait = () => {
    timer?.cancel();
    timer = clock.after(limits.pullStallMs, () =>
      body.destroy(new RegistryUnavailableError('no byte came for too long', { failure: 'torn' })),
    );
  };
  wait();
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      timer?.cancel();
      yield chunk;
      wait();
    }
  } finally {
    timer?.cancel();
    body.destroy();
  }
}
