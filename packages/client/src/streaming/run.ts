import { Readable, Writable } from 'node:stream';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { type ByteSink, type ByteSource, fromReadable, pump } from '@wherry/bytes';
import type { RemoteCommandConnection, TerminalSize } from '@wherry/remotecommand';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { openAttach, openExec, type SessionOptions } from '../sessions/session.ts';
import { writeOut } from './write-out.ts';
import { writeOutWeb } from './write-out-web.ts';

/** Where a session's bytes come from and go to. Streams that are left out are not opened. */
export interface SessionStreams {
  /** Read at the pace of the remote process; destroyed when the session ends before it. */
  stdin?: Readable | ReadableStream<Uint8Array> | undefined;
  /** Written with back-pressure up to the remote process; not ended, and a web stream is unlocked afterwards. */
  stdout?: Writable | WritableStream<Uint8Array> | undefined;
  stderr?: Writable | WritableStream<Uint8Array> | undefined;
  /** Sizes of the local terminal, the first one at once; the latest always arrives. */
  sizes?: AsyncIterable<TerminalSize> | undefined;
}

/** Options of {@link exec}. */
export interface ExecOptions extends SessionOptions, SessionStreams {
  command: readonly string[];
}

/** Options of {@link attach}. */
export interface AttachOptions extends SessionOptions, SessionStreams {}

/**
 * Runs a command in a container until it ends and gives back its exit code, after every byte of its output was
 * written. Rejects with `StatusError` (refused), `UpgradeError` (refused without a Status), `RemoteCommandError` (ended without an exit code) or what a stream
 * failed with.
 */
export async function exec(client: KubeClient, options: ExecOptions): Promise<number> {
  return joinSession(await openExec(client, { ...options, ...wanted(options) }), options);
}

/** Joins a container's process until it ends; see {@link exec}. */
export async function attach(client: KubeClient, options: AttachOptions): Promise<number> {
  return joinSession(await openAttach(client, { ...options, ...wanted(options) }), options);
}

function wanted({ stdin, stdout, stderr }: SessionStreams) {
  return { stdin: stdin !== undefined, stdout: stdout !== undefined, stderr: stderr !== undefined };
}

/** Joins an open session with local streams until it ends; gives back the exit code. Closes the session. */
export async function joinSession(
  connection: RemoteCommandConnection,
  streams: SessionStreams,
): Promise<number> {
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  if (connection.stdin && streams.stdin) feed(readableEnd(streams.stdin), connection.stdin, broken.reject);
  const sizes = sendSizes(connection, streams.sizes);
  const over = new AbortController();
  try {
    const outputs = (['stdout', 'stderr'] as const).map((name) =>
      deliver(connection[name], streams[name], over.signal),
    );
    const through = Promise.all([connection.exitCode, ...outputs]);
    const [exitCode] = await Promise.race([through, broken.promise]);
    return exitCode;
  } finally {
    over.abort(new Error('the session is over'));
    connection.close();
    sizes.stop();
  }
}

/**
 * Carries input. One that breaks off here must not pass for the whole there: the session is ended instead. A process
 * that takes no more is none of that.
 */
function feed(source: ByteSource, sink: ByteSink, onBroken: (error: Error) => void): void {
  let isTaken = true;
  void pump(source, sink).then(({ error }) => {
    if (error && isTaken) onBroken(error);
  });
  sink.closed.then(() => {
    isTaken = false;
  });
}

/** Writes one output to its end. Rejects only when the local stream fails: the session tells of its own failures. */
async function deliver(
  source: ByteSource | null,
  target: SessionStreams['stdout'],
  over: AbortSignal,
): Promise<void> {
  if (!source || !target) return;
  if (target instanceof Writable) await writeOut(source, target);
  else await writeOutWeb(source, target, over);
}

function sendSizes(connection: RemoteCommandConnection, sizes: SessionStreams['sizes']): { stop(): void } {
  const iterator = sizes?.[Symbol.asyncIterator]();
  const send = async () => {
    for (let next = await iterator?.next(); next && !next.done; next = await iterator?.next()) {
      connection.resize(next.value);
    }
  };
  void send().catch(() => {});
  return { stop: () => void iterator?.return?.()?.catch(() => {}) };
}

function readableEnd(stream: Readable | ReadableStream<Uint8Array>): ByteSource {
  return fromReadable(stream instanceof Readable ? stream : Readable.fromWeb(stream));
}
