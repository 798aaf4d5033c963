import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ImageError } from '../errors.ts';
import type { OnProgress } from '../registry/progress.ts';
import {
  type AdminFailure,
  adminPaths,
  type ImageBuildRequest,
  type ImageDetails,
  type ImagePruneRequest,
  type ImagePullRequest,
  type ImagePushRequest,
  type ImageSummary,
  type PruneResult,
  type TransferLine,
} from './image-admin.ts';
import { startTransfer, type Transfer } from './transfer.ts';

/** Options of each call. */
export interface ImageCallOptions {
  signal?: AbortSignal | undefined;
}

/** The image store of a running runtime. Calls reject with `ImageError`. */
export interface ImageClient {
  /** Loads an OCI-layout or docker archive (plain, gzip, zstd) under its own names, and a single image under `names` too. */
  load(
    archive: AsyncIterable<Uint8Array>,
    options?: ImageCallOptions & { names?: string[] },
  ): Promise<{ images: ImageSummary[] }>;
  /** Makes a one-layer image from a tar of its root file system. */
  build(
    tar: AsyncIterable<Uint8Array>,
    request: ImageBuildRequest,
    options?: ImageCallOptions,
  ): Promise<ImageSummary>;
  list(options?: ImageCallOptions): Promise<{ images: ImageSummary[] }>;
  inspect(name: string, options?: ImageCallOptions): Promise<ImageDetails>;
  /** Removes an image with all its names. Rejects `NOT_FOUND` when there is none. */
  remove(name: string, options?: ImageCallOptions): Promise<ImageSummary>;
  /** Pulls an image from its registry, as the runtime is configured to reach it. */
  pull(name: string, options?: ImageCallOptions & ImagePullRequest): Transfer<ImageSummary>;
  /** Pushes an image; answers its canonical `repository@digest`. */
  push(name: string, options?: ImageCallOptions & ImagePushRequest): Transfer<{ digest: string }>;
  /** Images as one tar, OCI layout and docker archive at once. Rejects before the first byte, or tears the stream. */
  save(names: readonly string[], options?: ImageCallOptions): Promise<AsyncIterable<Uint8Array>>;
  /** Removes images that no container uses, nobody pinned, and that have no name; or `all` of the former two. */
  prune(options?: ImageCallOptions & ImagePruneRequest): Promise<PruneResult>;
  /** Pins an image against garbage collection and prunes, or takes the pin away. */
  pin(name: string, pinned: boolean, options?: ImageCallOptions): Promise<ImageSummary>;
}

interface Call extends ImageCallOptions {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: AsyncIterable<Uint8Array> | undefined;
}

/** Opens a client on the runtime's image socket (`images.sock` beside its CRI socket). Nothing is kept open between calls. */
export function createImageClient(socketPath: string): ImageClient {
  const { load, build, images, pull, push, save, prune, pin } = adminPaths;
  const run = <Answer>(call: Call) => answerOf(socketPath, call) as Promise<Answer>;
  const transfer = <Result>(call: Call) =>
    startTransfer<Result>((onProgress) => follow<Result>(socketPath, call, onProgress));
  return {
    load: (body, { names, signal } = {}) =>
      run({ method: 'POST', path: load, query: { names }, body, signal }),
    build: (body, query, { signal } = {}) => run({ method: 'POST', path: build, query, body, signal }),
    list: ({ signal } = {}) => run({ method: 'GET', path: images, signal }),
    inspect: (name, { signal } = {}) => run({ method: 'GET', path: images, query: { name }, signal }),
    remove: (name, { signal } = {}) => run({ method: 'DELETE', path: images, query: { name }, signal }),
    pull: (name, { auth, signal } = {}) =>
      transfer({ method: 'POST', path: pull, query: { name, auth }, signal }),
    push: (name, { as, auth, signal } = {}) =>
      transfer({ method: 'POST', path: push, query: { name, as, auth }, signal }),
    save: (names, { signal } = {}) =>
      open(socketPath, { method: 'GET', path: save, query: { names }, signal }),
    prune: ({ all, signal } = {}) => run({ method: 'POST', path: prune, query: { all }, signal }),
    pin: (name, pinned, { signal } = {}) =>
      run({ method: 'POST', path: pin, query: { name, pinned }, signal }),
  };
}

/** The whole answer to a call. */
async function answerOf(socketPath: string, call: Call): Promise<unknown> {
  return JSON.parse(await readAll(await open(socketPath, call)));
}

/** The end of a transfer, with its news on the way. */
async function follow<Result>(socketPath: string, call: Call, onProgress: OnProgress): Promise<Result> {
  const response = await open(socketPath, call);
  for await (const text of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as TransferLine<Result>;
    if ('progress' in line) onProgress(line.progress);
    else if ('result' in line) return line.result;
    else throw new ImageError(line.failure.code, line.failure.message);
  }
  call.signal?.throwIfAborted();
  throw new ImageError('UNAVAILABLE', `the runtime on "${socketPath}" ended in the middle of the transfer`);
}

/** Sends a request; answers a response that is no refusal. */
async function open(
  socketPath: string,
  { method, path, query, body, signal }: Call,
): Promise<IncomingMessage> {
  const options = query ? `?options=${encodeURIComponent(JSON.stringify(query))}` : '';
  // One that was kept may have been closed by the runtime while this process was busy.
  const outgoing = request({ socketPath, method, path: path + options, signal, agent: false });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  // A refusal may come before the whole upload is taken; then the answer counts, not the torn upload.
  const uploaded = pipeline(body ? Readable.from(body) : Readable.from([]), outgoing).catch(() => {});
  const response = await answered.catch((error: Error) => {
    signal?.throwIfAborted();
    throw new ImageError('UNAVAILABLE', `no runtime answers on "${socketPath}": ${error.message}`, {
      cause: error,
    });
  });
  if (response.statusCode === 200) {
    await uploaded;
    return response;
  }
  const text = await readAll(response);
  outgoing.destroy();
  await uploaded;
  const { code, message } = JSON.parse(text) as AdminFailure;
  throw new ImageError(code, message);
}

async function readAll(response: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
