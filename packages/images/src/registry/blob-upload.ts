import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import type { Clock } from '@wherry/clock';
import { ImageError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Descriptor } from '../store/manifest.ts';
import type { TransportAnswer } from '../transport/transport.ts';
import { unread } from './answer-body.ts';
import type { OnProgress } from './progress.ts';
import type { RegistryClient } from './registry-client.ts';
import { withRetries } from './retries.ts';

/** One blob to send. */
export interface BlobUpload {
  client: RegistryClient;
  blob: Descriptor;
  /** Repositories on the same host that may have it. */
  mountFrom: readonly string[];
  /** Its content from a place on; undefined when it is not at hand. */
  open: ((start: number) => Readable) | undefined;
  clock: Clock;
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
}

/** Where an upload goes on, and from which byte. */
interface Session {
  location: URL;
  offset: number;
}

/**
 * Makes sure that a repository has a blob: asks, mounts it from another repository, or uploads it in one piece, which
 * goes on where a torn connection left it (OCI distribution-spec, "Pushing blobs"). Rejects with `ImageError`.
 */
export async function uploadBlob(upload: BlobUpload): Promise<void> {
  const { blob, open, onProgress } = upload;
  const tell = (phase: 'present' | 'done') =>
    onProgress?.({ digest: blob.digest, phase, doneBytes: blob.size, totalBytes: blob.size });
  if (await isThere(upload)) return tell('present');
  const started = await begin(upload);
  if (started === 'mounted') return tell('present');
  if (!open)
    throw new ImageError(
      'FAILED_PRECONDITION',
      `layer ${blob.digest} was not kept packed, and the registry lacks it; pull or load the image again and push then`,
    );
  await finish(upload, await send(upload, started));
  tell('done');
}

/** What is asked in a word; a registry that refuses it for the moment is asked again. */
const asked = <Result>({ clock, signal }: BlobUpload, ask: () => Promise<Result>): Promise<Result> =>
  withRetries(ask, { clock, signal, after: ['refused'] });

async function isThere(upload: BlobUpload): Promise<boolean> {
  const { client, blob, signal } = upload;
  try {
    const ask = () => client.request(`blobs/${blob.digest}`, { method: 'HEAD', signal });
    unread(await asked(upload, ask));
    return true;
  } catch (error) {
    if (error instanceof ImageError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

/** Opens a session, or mounts the blob on the way. */
async function begin(upload: BlobUpload): Promise<Session | 'mounted'> {
  const { client, blob, mountFrom, signal } = upload;
  for (const from of [...mountFrom, undefined]) {
    const url = client.urlOf('blobs/uploads/');
    if (from !== undefined) {
      url.searchParams.set('mount', blob.digest);
      url.searchParams.set('from', from);
    }
    const headers = { 'content-length': '0' };
    const answer = await asked(upload, () => client.request(url, { method: 'POST', headers, signal }));
    unread(answer);
    if (answer.status === 201) return 'mounted';
    const session = { location: locationOf(answer, url), offset: 0 };
    if (from === undefined || from === mountFrom.at(-1)) return session;
    await cancel(upload, session.location);
  }
  throw new ImageError('UNKNOWN', `no upload of ${blob.digest} could be opened`);
}

/** A session that nobody goes on with is given back; a registry that cannot do so forgets it by itself. */
async function cancel({ client, signal }: BlobUpload, location: URL): Promise<void> {
  await client.request(location, { method: 'DELETE', signal }).then(unread, () => {});
}

/** Sends the content; after a torn connection from where the registry says. Answers where to finish. */
async function send(upload: BlobUpload, session: Session): Promise<URL> {
  const { client, blob, open, clock, signal, onProgress } = upload;
  let { location, offset } = session;
  let isBegun = false;
  const once = async () => {
    if (isBegun) ({ location, offset } = await resumed(upload, location));
    isBegun = true;
    const start = offset;
    const tell = (doneBytes: number) =>
      onProgress?.({ digest: blob.digest, phase: 'uploading', doneBytes, totalBytes: blob.size });
    const answer = await client.request(location, {
      method: 'PATCH',
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(blob.size - start),
        ...(start > 0 && { 'content-range': `${start}-${blob.size - 1}` }),
      },
      body: () => counted(open?.(start), (sent) => tell(start + sent)),
      signal,
    });
    unread(answer);
    return locationOf(answer, location);
  };
  return withRetries(once, { clock, signal, after: ['unreached', 'refused', 'torn'] });
}

/**
 * How far the registry got (distribution-spec: the status of an upload, `Range: 0-END`). One that has given the session
 * up, as docker's does when a piece was torn, gets a new one.
 */
async function resumed(upload: BlobUpload, location: URL): Promise<Session> {
  const { client, signal } = upload;
  const answer = await client.request(location, { signal }).catch((error) => {
    if (error instanceof ImageError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (!answer) {
    const session = await begin({ ...upload, mountFrom: [] });
    if (session !== 'mounted') return session;
    throw new ImageError('UNKNOWN', `the registry mounts ${upload.blob.digest} from nowhere`);
  }
  unread(answer);
  const end = /^(?:bytes=)?0-(\d+)$/.exec(String(answer.headers['range'] ?? ''))?.[1];
  const have = end === undefined || end === '0' ? 0 : Number(end) + 1;
  return { location: locationOf(answer, location), offset: have };
}

async function finish(upload: BlobUpload, location: URL): Promise<void> {
  const { client, blob, signal } = upload;
  const url = new URL(location);
  url.searchParams.set('digest', blob.digest);
  const headers = { 'content-length': '0' };
  unread(await asked(upload, () => client.request(url, { method: 'PUT', headers, signal })));
}

function locationOf({ headers }: TransportAnswer, asked: URL): URL {
  const { location } = headers;
  const found = location === undefined ? asked : URL.parse(location, asked.href);
  if (found) return found;
  throw new ImageError('UNKNOWN', `the registry names the upload "${String(location)}", no URL`);
}

/** A stream that tells now and then how many bytes have passed. */
function counted(source: Readable | undefined, tell: (bytes: number) => void): Readable {
  let bytes = 0;
  let told = 0;
  const through = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      if (bytes - told >= limits.progressBytes) {
        told = bytes;
        tell(bytes);
      }
      done(null, chunk);
    },
  });
  source?.once('error', (error) => through.destroy(error));
  through.once('close', () => source?.destroy());
  return source ? source.pipe(through) : through.end();
}
