import { type SpawnOptions, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { stretched } from './slowness.ts';

/** How a command ended. */
export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** How to run a command. */
export interface RunOptions {
  env?: Record<string, string>;
  /** Text, or a stream that is piped in; without it stdin is empty. */
  stdin?: string | Readable;
  /** Takes stdout instead of it being collected. */
  onStdout?: (chunk: Buffer) => void | Promise<void>;
  /** The command is killed after this. Default 60 s. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 60_000;

/** Runs a command to its end; its output is kept unless `onStdout` takes it. */
export async function run(
  command: string,
  words: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = start(command, words, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const take = options.onStdout ?? ((chunk: Buffer) => void stdout.push(chunk));
  const reading = (async () => {
    for await (const chunk of child.stdout) await take(chunk as Buffer);
  })();
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  feed(child.stdin, options.stdin);
  const timer = setTimeout(() => child.kill('SIGKILL'), stretched(options.timeoutMs ?? defaultTimeoutMs));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (...end) => resolve(end));
  }).finally(() => clearTimeout(timer));
  await reading;
  return { code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/**
 * Starts a command with piped streams and leaves the rest to the caller. A command that ends without reading its stdin
 * is no failure of the test: what it said and how it ended are looked at, not whether a write came through.
 */
export function start(command: string, words: readonly string[], options: Pick<RunOptions, 'env'> = {}) {
  const spawnOptions: SpawnOptions = { env: { ...process.env, ...options.env } };
  const child = spawn(command, words, { ...spawnOptions, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {});
  return child;
}

function feed(stdin: NodeJS.WritableStream, input: RunOptions['stdin']): void {
  if (input instanceof Readable) input.pipe(stdin);
  else stdin.end(input ?? '');
}
