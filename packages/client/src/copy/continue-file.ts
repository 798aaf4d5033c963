import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { fromReadable, pump } from '@wherry/bytes';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { limits } from '../limits.ts';
import { captureExec } from '../sessions/capture.ts';
import { openExec } from '../sessions/session.ts';
import { writeOut } from '../streaming/write-out.ts';
import type { LocalEntry } from './local-tree.ts';
import { joinRemote, type RemoteSide } from './remote-files.ts';
import { TextSink } from './text-sink.ts';

const blockBytes = limits.copyBlockBytes;

/** Length of a file, and the hash of its whole blocks, in two words. */
const measure = `n=$(wc -c < "$1") && h=$(dd if="$1" bs=${blockBytes} count=$((n / ${blockBytes})) 2>/dev/null | sha256sum) && echo $n $h`;

/**
 * Writes at a place of its own, not at the end: the tar of the cut connection may still be writing the same bytes.
 * The umask is what tar minds without --same-permissions.
 */
const append = `dd of="$1" bs=${blockBytes} seek="$2" conv=notrunc 2>/dev/null && chmod "$(printf %o $((0$3 & ~$4)))" "$1"`;

/** What {@link continueFile} is given. */
export interface ContinueFileOptions {
  client: KubeClient;
  side: RemoteSide;
  entry: LocalEntry;
  /** Folder in the container that the entry's name is below. */
  folder: string;
  noPreserve: boolean;
  /** Called with the bytes that were there, then with those that follow. */
  onBytes(length: number): void;
}

/**
 * Sends the rest of a file whose beginning stands in the container with the same content, and gives back the hash of
 * the whole; undefined when it has to be sent anew: nothing of it is there, other content is, or the image has no `sh`,
 * `wc`, `dd`, `sha256sum` or `chmod`. Rejects when the connection is cut again.
 */
export async function continueFile(options: ContinueFileOptions): Promise<string | undefined> {
  const { client, side, entry, folder } = options;
  const path = joinRemote(folder, entry.name);
  const command = ['sh', '-c', measure, 'sh', path];
  const { exitCode, stdout } = await captureExec(client, { ...side, command });
  const [lengthText = '', remoteHash] = stdout.split(/\s+/);
  const length = Number(lengthText);
  const blocks = Math.floor(length / blockBytes);
  if (exitCode !== 0 || !(length <= entry.size) || blocks === 0) return undefined;
  const hash = createHash('sha256');
  await addToHash(hash, entry.path, blocks * blockBytes);
  if (hash.copy().digest('hex') !== remoteHash) return undefined;
  options.onBytes(blocks * blockBytes);
  return sendRest(options, path, blocks, hash);
}

async function addToHash(hash: Hash, path: string, length: number): Promise<void> {
  for await (const chunk of createReadStream(path, { end: length - 1, highWaterMark: 1 << 20 })) {
    hash.update(chunk as Uint8Array);
  }
}

async function sendRest(
  { client, side, entry, noPreserve, onBytes }: ContinueFileOptions,
  path: string,
  blocks: number,
  hash: Hash,
): Promise<string | undefined> {
  const mask = noPreserve ? '0$(umask)' : '0';
  const script = append.replace('$4', mask);
  const command = ['sh', '-c', script, 'sh', path, String(blocks), entry.mode.toString(8)];
  const connection = await openExec(client, { ...side, command, stdin: true, stdout: false, stderr: true });
  const said = new TextSink();
  try {
    const heard = connection.stderr && writeOut(connection.stderr, said);
    const rest = restOf(entry, blocks * blockBytes, (chunk) => {
      hash.update(chunk);
      onBytes(chunk.length);
    });
    if (connection.stdin)
      void pump(fromReadable(Readable.from(rest, { objectMode: false })), connection.stdin);
    const exitCode = await connection.exitCode;
    await heard;
    if (exitCode === 0) return hash.digest('hex');
    throw new ClientError('bad-answer', `"${path}" could not be continued: ${said.text}`);
  } finally {
    connection.close();
  }
}

async function* restOf(
  { path, size }: LocalEntry,
  start: number,
  onChunk: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  if (start === size) return;
  for await (const chunk of createReadStream(path, { start, end: size - 1, highWaterMark: 1 << 18 })) {
    onChunk(chunk as Uint8Array);
    yield chunk as Uint8Array;
  }
}
