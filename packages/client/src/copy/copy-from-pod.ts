import { lstat, mkdir, open, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, posix, resolve, sep } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '@wherry/kubeapi/objects';
import { RemoteCommandError } from '@wherry/remotecommand';
import { extract as createExtract, type Extract } from 'tar-stream';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { openExec } from '../sessions/session.ts';
import { writeOut } from '../streaming/write-out.ts';
import { writableInto } from './archive-streams.ts';
import { withAttempts } from './attempts.ts';
import type { CopyOptions, CopyResult } from './copy-to-pod.ts';
import { findMismatches, hashed, joinRemote } from './remote-files.ts';
import { TextSink } from './text-sink.ts';

/**
 * Copies a file or folder out of a container that has `tar`. A cut copy goes on at the byte where it stopped (where the
 * image lacks `sh` or `tail`, what has come is sent again and thrown away), the exit code of the remote tar counts, and each file's hash is checked where
 * the image has `sha256sum`. Symbolic links and what would land outside of the target are left out with a warning. A file that stays cut is removed.
 */
export async function copyFromPod(client: KubeClient, options: CopyOptions): Promise<CopyResult> {
  if (options.remotePath === '' || options.localPath === '') {
    throw new ClientError('bad-argument', 'filepath can not be empty');
  }
  const remotePath = posix.normalize(options.remotePath).replace(/(?<=.)\/+$/, '');
  const unpacking = new Unpacking(await targetOf(options.localPath, remotePath), remotePath, options);
  const archive = createExtract();
  const unpacked = unpacking.run(archive);
  unpacked.catch(() => {});
  try {
    await receive(client, options, remotePath, archive);
    archive.end(null);
    await unpacked;
  } catch (error) {
    archive.destroy(error as Error);
    // What went wrong while unpacking is the cause of what went wrong while receiving.
    await unpacked;
    throw error;
  }
  const { files, bytes, warnings, hashes } = unpacking;
  if (files === 0 && warnings.length === 0 && !unpacking.sawEntries) {
    throw new ClientError('bad-answer', 'the container sent an empty archive');
  }
  const wrong = await findMismatches(client, options, '', hashes);
  if (wrong && wrong.length > 0)
    throw new ClientError('bad-answer', `arrived with other content: ${wrong.join(', ')}`);
  return { files, bytes, warnings, verified: wrong ? 'hash' : 'size' };
}

/** `cp pod:/file dir` puts the file into the folder, `cp pod:/file new` names it. */
async function targetOf(localPath: string, remotePath: string): Promise<string> {
  const isFolder = await stat(localPath).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return resolve(isFolder ? join(localPath, posix.basename(remotePath)) : localPath);
}

/** Feeds the unpacker with one archive, over as many connections as it takes. */
async function receive(
  client: KubeClient,
  options: CopyOptions,
  remotePath: string,
  archive: Extract,
): Promise<void> {
  const into = writableInto(archive);
  const state: Receiving = { receivedBytes: 0, canSkip: true };
  await withAttempts(client, options, async () => {
    try {
      await receiveFrom(client, options, remotePath, into, state);
    } catch (error) {
      if (!(error instanceof CannotSkip)) throw error;
      state.canSkip = false;
      await receiveFrom(client, options, remotePath, into, state);
    }
  });
}

interface Receiving {
  /** Bytes of the archive that the unpacker has. */
  receivedBytes: number;
  /** Whether the container may have `sh` and `tail`, to leave out what has been received. */
  canSkip: boolean;
}

/** The container can't leave out the beginning of an archive: it has to be sent again, and thrown away here. */
class CannotSkip extends Error {}

async function receiveFrom(
  client: KubeClient,
  options: CopyOptions,
  remotePath: string,
  into: Writable,
  state: Receiving,
): Promise<void> {
  const offset = state.receivedBytes;
  const isSkipped = offset > 0 && state.canSkip;
  const command = isSkipped
    ? ['sh', '-c', tarFromByte, 'sh', remotePath, String(offset + 1)]
    : ['tar', 'cf', '-', remotePath];
  const connection = await openExec(client, {
    ...options,
    command,
    stdin: false,
    stdout: true,
    stderr: true,
  }).catch((error) => {
    throw isSkipped && error instanceof StatusError ? new CannotSkip() : error;
  });
  const said = new TextSink();
  const { stdout, stderr } = connection;
  const heard = stderr && writeOut(stderr, said);
  const skipping = isSkipped ? 0 : offset;
  const fed = stdout && writeOut(stdout, new Beyond(into, skipping, state));
  try {
    const [exitCode] = await Promise.all([connection.exitCode, fed, heard]);
    if (exitCode === 0) return;
    if (isSkipped && state.receivedBytes === offset) throw new CannotSkip();
    const message = `tar in the container ended with exit code ${exitCode}: ${said.text}`;
    throw new ClientError('bad-answer', message);
  } catch (error) {
    const isMissing = error instanceof RemoteCommandError && error.code === 'failure';
    throw isSkipped && isMissing && state.receivedBytes === offset ? new CannotSkip() : error;
  } finally {
    connection.close();
    // The next attempt counts from the last byte that this one brought.
    await Promise.allSettled([fed]);
  }
}

/** Passes on what comes behind the first `skippedBytes`, and counts it. */
class Beyond extends Writable {
  readonly #into: Writable;
  readonly #state: Receiving;
  #leftBytes: number;

  constructor(into: Writable, skippedBytes: number, state: Receiving) {
    super();
    this.#into = into;
    this.#leftBytes = skippedBytes;
    this.#state = state;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const rest = chunk.subarray(Math.min(chunk.length, this.#leftBytes));
    this.#leftBytes -= chunk.length - rest.length;
    this.#state.receivedBytes += rest.length;
    if (rest.length === 0) done();
    else this.#into.write(rest, done);
  }
}

/** A pipe tells only how its last command ended: both tell apart, and one that says nothing has failed. */
const tarFromByte =
  'exec 4>&1; codes=$({ { tar cf - "$1" 3>&-; echo $? >&3; } | tail -c+"$2" >&4 || echo 1 >&3; } 3>&1); ' +
  '[ -n "$codes" ] || exit 1; for code in $codes; do [ "$code" = 0 ] || exit "$code"; done';

type Entry = Extract extends AsyncIterable<infer T> ? T : never;

/** Unpacks an archive below one target path. */
class Unpacking {
  files = 0;
  bytes = 0;
  sawEntries = false;
  readonly warnings: string[] = [];
  /** SHA-256 by path in the container. */
  readonly hashes = new Map<string, string>();
  readonly #target: string;
  readonly #remotePath: string;
  readonly #prefix: string;
  readonly #options: CopyOptions;

  constructor(target: string, remotePath: string, options: CopyOptions) {
    this.#target = target;
    this.#remotePath = remotePath;
    // What tar itself leaves out of the names.
    this.#prefix = remotePath.replace(/^\/+|^(\.\.\/)+/, '');
    this.#options = options;
  }

  async run(archive: Extract): Promise<void> {
    for await (const entry of archive) {
      this.sawEntries = true;
      await this.#place(entry);
    }
  }

  async #place(entry: Entry): Promise<void> {
    const { name, type = 'file', mode } = entry.header;
    const relative = this.#relativeOf(name);
    const path = this.#pathOf(relative);
    if (path === undefined) {
      this.warnings.push(`warning: file "${name}" is outside target destination, skipping`);
    } else if (type === 'symlink' || type === 'link') {
      this.warnings.push(`warning: skipping symlink: "${path}" -> "${entry.header.linkname}"`);
    } else if (type === 'directory') {
      await mkdir(path, { recursive: true });
    } else if (type === 'file' || type === 'contiguous-file') {
      await mkdir(dirname(path), { recursive: true });
      const remotePath = relative === '' ? this.#remotePath : joinRemote(this.#remotePath, relative);
      await this.#write(this.#counted(entry, remotePath), path, this.#options.noPreserve ? undefined : mode);
      return;
    } else this.warnings.push(`warning: skipping ${type}: "${path}"`);
    entry.resume();
  }

  /** What an entry's name says below the path that was asked for; '' for that itself. */
  #relativeOf(name: string): string {
    const clean = name.replace(/^\/+/, '').replace(/\/+$/, '');
    const prefix = this.#prefix === '' ? '' : `${this.#prefix}/`;
    if (clean === this.#prefix) return '';
    if (clean.startsWith(prefix)) return clean.slice(prefix.length);
    throw new ClientError('bad-answer', `tar contents corrupted: "${name}" is not below "${this.#prefix}"`);
  }

  /** The local place of an entry, undefined for one that would lie outside of the target. */
  #pathOf(relative: string): string | undefined {
    const path = resolve(this.#target, relative);
    return path === this.#target || path.startsWith(this.#target + sep) ? path : undefined;
  }

  async #write(content: AsyncIterable<Uint8Array>, path: string, mode: number | undefined): Promise<void> {
    await replaceLink(path);
    const file = await open(path, 'w', mode === undefined ? 0o666 : mode & 0o777);
    try {
      await pipeline(content, file.createWriteStream());
    } catch (error) {
      await forgetHalf(path);
      throw error;
    }
    this.files += 1;
  }

  /** The content of a file, which is counted, told of and hashed on its way. */
  async *#counted(entry: Entry, remotePath: string): AsyncGenerator<Uint8Array> {
    const { name } = entry.header;
    const content = hashed(entry as AsyncIterable<Uint8Array>, (hash) => this.hashes.set(remotePath, hash));
    for await (const chunk of content) {
      this.bytes += chunk.length;
      this.#options.onProgress?.({ name: basename(name), bytes: this.bytes, totalBytes: undefined });
      yield chunk;
    }
  }
}

/** A symbolic link that stands where a file is to be written must not lead the write elsewhere. */
async function replaceLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) await rm(path);
}

/** What has come of a file that was cut short goes, so that nobody takes it for the whole. Devices and pipes stay. */
async function forgetHalf(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile()) await rm(path, { force: true });
}
