import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { collect, fromReadable, pump } from '@wherry/bytes';
import { RemoteCommandError } from '@wherry/remotecommand';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { limits } from '../limits.ts';
import { captureExec } from '../sessions/capture.ts';
import { openExec, type SessionOptions } from '../sessions/session.ts';

/** Where the other side of a copy is. */
export type RemoteSide = Pick<SessionOptions, 'namespace' | 'pod' | 'container' | 'transport' | 'signal'>;

/** How far the result of a copy was checked: by content, by size alone because the image lacks `sha256sum`. */
export type Verification = 'hash' | 'size';

/** Exit codes that shells and runtimes use for a command that is not there or can't be run. */
const notFoundExitCodes = new Set([126, 127, 128]);

/** True when the path is a folder in the container. Rejects when that could not be found out. */
export async function isRemoteDirectory(
  client: KubeClient,
  side: RemoteSide,
  path: string,
): Promise<boolean> {
  try {
    const { exitCode } = await captureExec(client, { ...side, command: ['test', '-d', path] });
    if (exitCode === 0 || exitCode === 1 || notFoundExitCodes.has(exitCode)) return exitCode === 0;
    throw new ClientError(
      'bad-answer',
      `"test -d ${path}" in the container ended with exit code ${exitCode}`,
    );
  } catch (error) {
    // An image without `test` can't say; a lost connection is no answer either, but must not pass for one.
    if (error instanceof RemoteCommandError && error.code === 'failure') return false;
    throw error;
  }
}

/**
 * The lines of `sha256sum` for local contents, checked in the container by `sha256sum -c`. Gives the names that don't
 * match, or undefined when the image has no such program.
 */
export async function findMismatches(
  client: KubeClient,
  side: RemoteSide,
  folder: string,
  hashes: ReadonlyMap<string, string>,
): Promise<string[] | undefined> {
  const checkable = [...hashes].filter(([name]) => !/[\n\\]/.test(name));
  if (checkable.length === 0) return [];
  const list = checkable.map(([name, hash]) => `${hash}  ${joinRemote(folder, name)}\n`).join('');
  const connection = await openExec(client, {
    ...side,
    command: ['sha256sum', '-c', '-'],
    stdin: true,
    stdout: true,
    stderr: false,
  });
  try {
    if (connection.stdin) void pump(fromReadable(Readable.from([Buffer.from(list)])), connection.stdin);
    const output = connection.stdout
      ? Buffer.from(await collect(connection.stdout, { bytesMax: limits.checkOutputBytesMax })).toString(
          'utf8',
        )
      : '';
    const exitCode = await connection.exitCode;
    if (exitCode === 0) return [];
    if (notFoundExitCodes.has(exitCode) || !/: (OK|FAILED)/.test(output)) return undefined;
    const lines = new Set(output.split('\n'));
    return checkable.map(([name]) => name).filter((name) => !lines.has(`${joinRemote(folder, name)}: OK`));
  } catch (error) {
    if (error instanceof RemoteCommandError && error.code === 'failure') return undefined;
    throw error;
  } finally {
    connection.close();
  }
}

/** A path below a folder of the container, which is always separated by slashes. */
export function joinRemote(folder: string, name: string): string {
  return folder === '' ? name : `${folder.replace(/\/$/, '')}/${name}`;
}

/** Passes bytes on and hashes them. */
export async function* hashed(
  source: AsyncIterable<Uint8Array>,
  done: (sha256: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
  done(hash.digest('hex'));
}
