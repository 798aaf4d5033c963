import { basename, posix } from 'node:path';
import { fromReadable, pump } from '@wherry/bytes';
import { RemoteCommandError } from '@wherry/remotecommand';
import { pack as createPack, type Pack } from 'tar-stream';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client.ts';
import { limits } from '../limits.ts';
import { openExec } from '../streaming/session.ts';
import { writeOut } from '../streaming/write-out.ts';
import { readableOf } from './archive-streams.ts';
import { type LocalEntry, readExactly, walk } from './local-tree.ts';
import {
  findMismatches,
  hashed,
  isRemoteDirectory,
  type RemoteSide,
  type Verification,
} from './remote-files.ts';
import { TextSink } from './text-sink.ts';

/** How far a copy has come. */
export interface CopyProgress {
  /** The file that is being copied. */
  name: string;
  /** Bytes of file content so far, and of all files where that is known. */
  bytes: number;
  totalBytes: number | undefined;
}

/** What a copy did. */
export interface CopyResult {
  files: number;
  bytes: number;
  verified: Verification;
  /** One line for each thing that was left out, and why. */
  warnings: string[];
}

/** Options of both directions. */
export interface CopyOptions extends RemoteSide {
  localPath: string;
  remotePath: string;
  /** Leaves owner and permissions of what is unpacked to the receiving side (`--no-preserve`). */
  noPreserve?: boolean | undefined;
  onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** How often a cut copy is taken up again. Default `limits.copyRetriesMax`. */
  retries?: number | undefined;
}

/**
 * Copies a local file or folder into a container that has `tar`. A cut copy is taken up again, leaving out the files
 * that have arrived; at the end each file's hash is checked where the image has `sha256sum`. Rejects when tar fails,
 * a hash differs, or the connection stays lost.
 */
export async function copyToPod(client: KubeClient, options: CopyOptions): Promise<CopyResult> {
  const { localPath, retries = limits.copyRetriesMax } = options;
  if (localPath === '' || options.remotePath === '')
    throw new ClientError('bad-argument', 'filepath can not be empty');
  const destination = await resolveDestination(client, options);
  const totalBytes = await totalOf(localPath);
  const hashes = new Map<string, string>();
  for (let attempt = 0; ; attempt += 1) {
    try {
      const arrived =
        attempt === 0 ? new Set<string>() : await whatArrived(client, options, destination, hashes);
      const result = await sendOnce(client, options, { ...destination, arrived, hashes, totalBytes });
      return { ...result, verified: await verify(client, options, destination, hashes) };
    } catch (error) {
      const isCut =
        error instanceof RemoteCommandError && error.code !== 'failure' && error.code !== 'aborted';
      if (!isCut || attempt >= retries) throw error;
    }
  }
}

interface Destination {
  folder: string;
  name: string;
}

/** `cp file pod:/dir` puts the file into the folder, `cp file pod:/dir/new` names it. */
async function resolveDestination(client: KubeClient, options: CopyOptions): Promise<Destination> {
  const trimmed = options.remotePath.replace(/(?<=.)\/+$/, '');
  const isFolder = await isRemoteDirectory(client, options, trimmed);
  const full = isFolder ? posix.join(trimmed, basename(options.localPath)) : trimmed;
  return { folder: posix.dirname(full), name: posix.basename(full) };
}

async function totalOf(path: string): Promise<number> {
  let total = 0;
  for await (const entry of walk(path, '')) total += entry.size;
  return total;
}

interface Sending extends Destination {
  arrived: ReadonlySet<string>;
  hashes: Map<string, string>;
  totalBytes: number;
}

async function sendOnce(
  client: KubeClient,
  options: CopyOptions,
  sending: Sending,
): Promise<Omit<CopyResult, 'verified'>> {
  const ownership = options.noPreserve ? ['--no-same-permissions', '--no-same-owner'] : [];
  const command = ['tar', ...ownership, '-xmf', '-', '-C', sending.folder];
  const connection = await openExec(client, { ...options, command, stdin: true, stdout: true, stderr: true });
  const said = new TextSink();
  try {
    const archive = createPack();
    const filling = fill(archive, options, sending);
    filling.catch((error: Error) => archive.destroy(error));
    if (!connection.stdin || !connection.stdout || !connection.stderr) throw new Error('a stream is missing');
    const sent = pump(fromReadable(readableOf(archive)), connection.stdin);
    const heard = [connection.stdout, connection.stderr].map((output) => writeOut(output, said));
    const exitCode = await connection.exitCode;
    await Promise.all(heard);
    if (exitCode !== 0)
      throw new ClientError(
        'bad-answer',
        `tar in the container ended with exit code ${exitCode}: ${said.text}`,
      );
    const { error } = await sent;
    const result = await filling;
    if (error) throw error;
    return result;
  } finally {
    connection.close();
  }
}

async function fill(
  archive: Pack,
  options: CopyOptions,
  sending: Sending,
): Promise<Omit<CopyResult, 'verified'>> {
  let files = 0;
  let bytes = 0;
  for await (const entry of walk(options.localPath, sending.name)) {
    const { name } = entry;
    if (entry.kind === 'file') {
      files += 1;
      if (sending.arrived.has(name)) {
        bytes += entry.size;
        continue;
      }
    }
    await append(archive, entry, {
      onBytes: (length) => {
        bytes += length;
        options.onProgress?.({ name, bytes, totalBytes: sending.totalBytes });
      },
      onHash: (hash) => sending.hashes.set(name, hash),
    });
  }
  archive.finalize();
  return { files, bytes, warnings: [] };
}

interface AppendEvents {
  onBytes(length: number): void;
  onHash(sha256: string): void;
}

async function append(archive: Pack, entry: LocalEntry, events: AppendEvents): Promise<void> {
  const header = { name: entry.name, mode: entry.mode, mtime: entry.modified };
  if (entry.kind !== 'file') {
    archive.entry({
      ...header,
      type: entry.kind,
      ...(entry.target === undefined ? {} : { linkname: entry.target }),
    });
    return;
  }
  const sink = archive.entry({ ...header, type: 'file', size: entry.size });
  const content = hashed(readExactly(entry.path, entry.size), events.onHash);
  for await (const chunk of content) {
    events.onBytes(chunk.length);
    if (!sink.write(chunk)) await new Promise<void>((resolve) => sink.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve, reject) => {
    sink.once('error', reject);
    sink.once('finish', () => resolve());
    sink.end(null);
  });
}

async function whatArrived(
  client: KubeClient,
  side: RemoteSide,
  { folder }: Destination,
  hashes: ReadonlyMap<string, string>,
): Promise<Set<string>> {
  const missing = await findMismatches(client, side, folder, hashes);
  if (!missing) return new Set();
  return new Set([...hashes.keys()].filter((name) => !missing.includes(name)));
}

async function verify(
  client: KubeClient,
  side: RemoteSide,
  { folder }: Destination,
  hashes: ReadonlyMap<string, string>,
): Promise<Verification> {
  const wrong = await findMismatches(client, side, folder, hashes);
  if (wrong === undefined) return 'size';
  if (wrong.length > 0)
    throw new ClientError('bad-answer', `arrived with other content: ${wrong.join(', ')}`);
  return 'hash';
}
