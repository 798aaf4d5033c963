import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { lastOciError } from './oci-log.ts';

/** What one call of the OCI runtime's program gets. */
export interface OciCall {
  /** Sub-command and its arguments ("exec", "--detach", …). */
  arguments: string[];
  /** Where the runtime logs; read for the error's text, and removed. */
  logPath: string;
  /** Descriptors for stdin, stdout and stderr, or "ignore". Not closed here. */
  stdio?: [number | 'ignore', number | 'ignore', number | 'ignore'];
  /** Runs once the program has its descriptors. */
  onSpawned?: () => void;
  /** Kills the program. */
  signal?: AbortSignal | undefined;
}

/** How the programs are run. */
export interface OciRuntimeOptions {
  /** "runc", "crun" or a path. */
  program: string;
  /** State folder of the program (`--root`). */
  root: string;
  /** Environment of the program. Default: this process's own. */
  environment?: NodeJS.ProcessEnv;
}

/**
 * runc or crun as a child process. Only what they alone can do: create, run, start, exec, update, delete; state comes
 * from our records, signals go by pid descriptor.
 */
export class OciRuntime {
  readonly program: string;
  readonly #options: OciRuntimeOptions;
  readonly #children: Set<number>;

  constructor(options: OciRuntimeOptions, children = new Set<number>()) {
    this.program = options.program;
    this.#options = options;
    this.#children = children;
  }

  /** Ids of programs under way: libuv's children, not to be reaped by others. */
  get children(): ReadonlySet<number> {
    return this.#children;
  }

  /** Another program on the same state. */
  withProgram(program: string): OciRuntime {
    return program === this.program ? this : new OciRuntime({ ...this.#options, program }, this.#children);
  }

  /** Runs one call to its end. Rejects with `oci_runtime` and the runtime's own words when it fails. */
  async call(call: OciCall): Promise<void> {
    const { program, root, environment = process.env } = this.#options;
    const child = spawn(
      program,
      ['--root', root, '--log', call.logPath, '--log-format', 'json', ...call.arguments],
      {
        stdio: call.stdio ?? ['ignore', 'ignore', 'pipe'],
        env: environment,
        timeout: limits.ociCallTimeoutMs,
        killSignal: 'SIGKILL',
        ...(call.signal && { signal: call.signal }),
      },
    );
    const ended = new Promise<{ exitCode: number | null; signal: string | null; error?: Error }>(
      (resolve) => {
        child.once('error', (error) => resolve({ exitCode: null, signal: null, error }));
        child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
      },
    );
    const words = collectWords(child.stderr);
    if (child.pid !== undefined) this.#children.add(child.pid);
    call.onSpawned?.();
    const { exitCode, signal, error } = await ended;
    if (child.pid !== undefined) this.#children.delete(child.pid);
    try {
      if (exitCode !== 0) throw failure({ program, call, exitCode, signal, error, words: words() });
    } finally {
      rmSync(call.logPath, { force: true });
    }
  }
}

function failure(options: {
  program: string;
  call: OciCall;
  exitCode: number | null;
  signal: string | null;
  error: Error | undefined;
  words: string;
}): MonitorError {
  const { program, call, exitCode, signal, error, words } = options;
  const reason =
    (lastOciError(call.logPath) ?? error?.message ?? words) || `ended with ${signal ?? `code ${exitCode}`}`;
  return new MonitorError('oci_runtime', `${program} ${call.arguments[0]}: ${reason}`, { cause: error });
}

/** What the program prints where it has no stderr of the container's, bounded; a function that tells it so far. */
function collectWords(stderr: Readable | null): () => string {
  let words = '';
  stderr?.on('data', (chunk: Buffer) => {
    if (words.length < limits.ociLogBytesMax) words += chunk.toString('utf8');
  });
  return () => words.trim();
}
