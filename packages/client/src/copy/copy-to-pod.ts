import { once } from 'node:events';
import { basename, posix } from 'node:path';
import { fromReadable, pump } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { RemoteCommandError } from '@wherry/remotecommand';
import { pack as createPack, type Pack } from 'tar-stream';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { limits } from '../limits.ts';
import { openExec } from '../sessions/session.ts';
import { writeOut } from '../streaming/write-out.ts';
import { readableOf } from './archive-streams.ts';
import { withAttempts } from './attempts.ts';
import { continueFile } from './continue-file.ts';
import { type LocalEntry, notUtf8, readExactly, walk } from './local-tree.ts';
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
 * that have arrived and continuing the one that was cut (see {@link continueFile}); at the end each file's hash is checked where the image has `sha256sum`. Rejects when tar fails,
 * a hash differs, or the connection stays lost.
 */
export async function copyToPod(client: KubeClient, options: CopyOptions): Promise<CopyResult> {
  const { localPath } = options;
  if (localPath === '' || options.remotePath === '')
    throw new ClientError('bad-argument', 'filepath can not be empty');
  const totalBytes = await totalOf(localPath);
  const hashes = new Map<string, string>();
  let destination: Destination | undefined;
  return withAttempts(client, options, async (attempt) => {
    destination ??= await resolveDestination(client, options);
    const sending: Sending = { ...destination, arrived: new Set(), hashes, totalBytes };
    const isComplete = attempt > 0 && (await takeUpAgain(client, options, sending));
    const result = isComplete
      ? { files: hashes.size, bytes: totalBytes, warnings: [] }
      : await sendOnce(client, options, sending);
    return { ...result, verified: await verify(client, options, destination, hashes) };
  });
}

/**
 * Finds out which files have arrived, and continues the one that was cut. True when nothing is left to be sent: all
 * there was to send was one file.
 */
async function takeUpAgain(client: KubeClient, options: CopyOptions, sending: Sending): Promise<boolean> {
  const { hashes, folder, name, totalBytes } = sending;
  for (const arrived of await whatArrived(client, options, sending, hashes)) sending.arrived.add(arrived);
  for await (const entry of walk(options.localPath, name)) {
    if (entry.kind !== 'file' || sending.arrived.has(entry.name)) continue;
    if (entry.size < limits.copyContinueBytesMin) break;
    const report = progressOf(options, entry.name, totalBytes, await bytesOf(options, sending));
    const noPreserve = options.noPreserve ?? false;
    const hash = await continueFile({ client, side: options, entry, folder, noPreserve, onBytes: report });
    if (hash === undefined) break;
    hashes.set(entry.name, hash);
    sending.arrived.add(entry.name);
    break;
  }
  return sending.arrived.has(name);
}

/** Bytes of the files that have arrived. */
async function bytesOf(options: CopyOptions, { name, arrived }: Sending): Promise<number> {
  let bytes = 0;
  for await (const entry of walk(options.localPath, name)) if (arrived.has(entry.name)) bytes += entry.size;
  return bytes;
}

/** Reports progress; counts up from `bytes`. */
function progressOf({ onProgress }: CopyOptions, name: string, totalBytes: number, bytes: number) {
  let done = bytes;
  return (length: number) => {
    done += length;
    onProgress?.({ name, bytes: done, totalBytes });
  };
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
  /** Names of files that need not be sent. */
  arrived: Set<string>;
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
    // What broke the archive is told by what broke the connection.
    const archive = createPack().on('error', () => {});
    const filling = fill(archive, options, sending);
    const failed = filling.then(
      () => undefined,
      async (error: Error) => {
        archive.destroy(error);
        // The tar over there never sees the end of its input: a part must not pass for the whole.
        await settledWithin(client.clock, connection.exitCode, limits.copyCutMs);
        connection.close();
        return error;
      },
    );
    if (!connection.stdin || !connection.stdout || !connection.stderr) throw new Error('a stream is missing');
    const sent = pump(fromReadable(readableOf(archive)), connection.stdin);
    const heard = [connection.stdout, connection.stderr].map((output) => writeOut(output, said));
    const exitCode = await connection.exitCode.catch(async (error) => {
      // Unless the connection broke first, what failed here is why it was ended.
      throw isOurDoing(error) ? ((await failed) ?? error) : error;
    });
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

const isOurDoing = (error: unknown) => error instanceof RemoteCommandError && error.code === 'aborted';

async function settledWithin(clock: Clock, promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = clock.after(timeoutMs, resolve);
  await Promise.race([promise, over]).catch(() => {});
  timer.cancel();
}

async function fill(
  archive: Pack,
  options: CopyOptions,
  sending: Sending,
): Promise<Omit<CopyResult, 'verified'>> {
  let files = 0;
  let bytes = 0;
  const warnings: string[] = [];
  const skipped = (path: string) => warnings.push(notUtf8(path));
  for await (const entry of walk(options.localPath, sending.name, skipped)) {
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
  return { files, bytes, warnings };
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
  const done = Promise.withResolvers<void>();
  done.promise.catch(() => {});
  sink.once('finish', done.resolve).on('error', done.reject);
  sink.once('close', () => done.reject(new Error('the archive was cut')));
  const content = hashed(readExactly(entry.path, entry.size), events.onHash);
  for await (const chunk of content) {
    events.onBytes(chunk.length);
    if (!sink.write(chunk)) await Promise.race([once(sink, 'drain'), done.promise]);
  }
  sink.end(null);
  await done.promise;
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
