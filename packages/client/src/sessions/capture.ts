import { type ByteSink, ChannelClosedError, collect } from '@wherry/bytes';
import { limits } from '../limits.ts';
import { openExec, type SessionClient, type SessionOptions } from './session.ts';

const text = new TextDecoder();

/** What a short command said. */
export interface Captured {
  exitCode: number;
  stdout: string;
  stderr: string;
}

/** What a command is given on its standard input: text as UTF-8, bytes, or bytes as they come. */
export type CaptureInput = string | Uint8Array | AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A command to run, and what it reads. */
export interface CaptureOptions extends Omit<SessionOptions, 'tty'> {
  command: readonly string[];
  /** Default: nothing, its standard input is not opened. */
  stdin?: CaptureInput | undefined;
}

/**
 * Runs a command and keeps its output, at most `limits.captureBytesMax` per stream. A command that ends before it has
 * read all its input is no failure; an input that throws is.
 */
export async function captureExec(client: SessionClient, options: CaptureOptions): Promise<Captured> {
  const { stdin, ...session } = options;
  const streams = { stdin: stdin !== undefined, stdout: true, stderr: true };
  const connection = await openExec(client, { ...session, ...streams });
  try {
    const read = async (source: typeof connection.stdout) => {
      try {
        return source ? text.decode(await collect(source, { bytesMax: limits.captureBytesMax })) : '';
      } catch (error) {
        // What broke an output ended the session too, which says it in its own words.
        if (!(error instanceof ChannelClosedError && error.code === 'too-large')) await connection.exitCode;
        throw error;
      }
    };
    const [stdout, stderr, exitCode] = await Promise.all([
      read(connection.stdout),
      read(connection.stderr),
      connection.exitCode,
      connection.stdin && stdin !== undefined
        ? Promise.race([write(connection.stdin, stdin), connection.exitCode])
        : undefined,
    ]);
    return { exitCode, stdout, stderr };
  } finally {
    connection.close();
  }
}

/** Writes until the input has ended or the command reads no more: what it left unread is its own affair. */
async function write(sink: ByteSink, input: CaptureInput): Promise<void> {
  let isTaken = true;
  sink.closed.then(() => {
    isTaken = false;
  });
  for await (const chunk of chunksOf(input)) {
    if (!sink.write(chunk)) await sink.drained();
    if (!isTaken) return;
  }
  sink.end();
}

function chunksOf(input: CaptureInput): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (typeof input === 'string') return [new TextEncoder().encode(input)];
  return input instanceof Uint8Array ? [input] : input;
}
