import { stat } from 'node:fs/promises';
import { join, posix, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { StatusError } from '@wherry/kubeapi/objects';
import { RemoteCommandError } from '@wherry/remotecommand';
import { extract as createExtract, type Extract } from 'tar-stream';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { openExec } from '../sessions/session.ts';
import { writeOut } from '../streaming/write-out.ts';
import { writeInto } from './archive-streams.ts';
import { withAttempts } from './attempts.ts';
import type { CopyOptions, CopyResult } from './copy-to-pod.ts';
import { findMismatches } from './remote-files.ts';
import { TextSink } from './text-sink.ts';
import { Unpacking } from './unpacking.ts';

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
  const state: Receiving = { receivedBytes: 0, canSkip: true };
  await withAttempts(client, options, async () => {
    try {
      await receiveFrom(client, options, remotePath, archive, state);
    } catch (error) {
      if (!(error instanceof CannotSkip)) throw error;
      state.canSkip = false;
      await receiveFrom(client, options, remotePath, archive, state);
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
  archive: Extract,
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
  const fed = stdout && writeOut(stdout, new Beyond(archive, skipping, state));
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

/** Unpacks what comes behind the first `skippedBytes`, and counts it. */
class Beyond extends Writable {
  readonly #archive: Extract;
  readonly #state: Receiving;
  #leftBytes: number;

  constructor(archive: Extract, skippedBytes: number, state: Receiving) {
    super();
    this.#archive = archive;
    this.#leftBytes = skippedBytes;
    this.#state = state;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const rest = chunk.subarray(Math.min(chunk.length, this.#leftBytes));
    this.#leftBytes -= chunk.length - rest.length;
    this.#state.receivedBytes += rest.length;
    if (rest.length === 0) done();
    else writeInto(this.#archive, rest, done);
  }
}

/** A pipe tells only how its last command ended: both tell apart, and one that says nothing has failed. */
const tarFromByte =
  'exec 4>&1; codes=$({ { tar cf - "$1" 3>&-; echo $? >&3; } | tail -c+"$2" >&4 || echo 1 >&3; } 3>&1); ' +
  '[ -n "$codes" ] || exit 1; for code in $codes; do [ "$code" = 0 ] || exit "$code"; done';
