import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ImageError } from '../errors.ts';
import {
  type AdminFailure,
  adminPaths,
  type ImageBuildRequest,
  type ImageDetails,
  type ImageSummary,
} from './image-admin.ts';

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
}

interface Call extends ImageCallOptions {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  query?: object | undefined;
  body?: AsyncIterable<Uint8Array> | undefined;
}

/** Opens a client on the runtime's image socket (`images.sock` beside its CRI socket). Nothing is kept open between calls. */
export function createImageClient(socketPath: string): ImageClient {
  const { load, build, images } = adminPaths;
  const run = <Answer>(call: Call) => send(socketPath, call) as Promise<Answer>;
  return {
    load: (body, { names, signal } = {}) =>
      run({ method: 'POST', path: load, query: { names }, body, signal }),
    build: (body, query, { signal } = {}) => run({ method: 'POST', path: build, query, body, signal }),
    list: ({ signal } = {}) => run({ method: 'GET', path: images, signal }),
    inspect: (name, { signal } = {}) => run({ method: 'GET', path: images, query: { name }, signal }),
    remove: (name, { signal } = {}) => run({ method: 'DELETE', path: images, query: { name }, signal }),
  };
}

async function send(socketPath: string, { method, path, query, body, signal }: Call): Promise<unknown> {
  const options = query ? `?options=${encodeURIComponent(JSON.stringify(query))}` : '';
  const outgoing = request({ socketPath, method, path: path + options, signal });
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
  const text = await readAll(response);
  if (response.statusCode !== 200) outgoing.destroy();
  await uploaded;
  const answer: unknown = JSON.parse(text);
  if (response.statusCode === 200) return answer;
  const { code, message } = answer as AdminFailure;
  throw new ImageError(code, message);
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
