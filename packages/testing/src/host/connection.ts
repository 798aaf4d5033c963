import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onAbort } from '@wherry/bytes';
import { logTail } from '@wherry/node/log-tail';
import { bundled } from '@wherry/node/program';
import { TestingError } from '../errors.ts';
import { hostFolderPrefix } from './folder.ts';
import { nodeProgram } from './node-program.ts';
import type { Answer, CallName, Calls, Request, Started } from './protocol.ts';

const entry = new URL('../main.ts', import.meta.url);

/** Variables by which a test runner speaks to its own children, or would have them do what is not theirs. */
const runnersOwn = /^(NODE_OPTIONS|NODE_V8_COVERAGE|NODE_TEST_|NODE_CHANNEL_|NODE_UNIQUE_ID|JEST_|VITEST)/;

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The process that holds every API server and node of this one. It leads a session of its own and ends, with all it
 * holds, when its stdin does: that is when this process is gone, whatever ended it. Keeps no process alive but during calls.
 */
export class HostConnection {
  readonly #child: ChildProcess;
  readonly #log: string;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #failure: TestingError | undefined;

  /** `program`: what runs there, as `bundled` gives it. */
  constructor(program: string) {
    const folder = mkdtempSync(join(tmpdir(), hostFolderPrefix));
    this.#log = join(folder, 'host.log');
    const log = openSync(this.#log, 'a', 0o600);
    try {
      this.#child = spawn(nodeProgram(), [program, folder], {
        cwd: '/',
        detached: true,
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !runnersOwn.test(name))),
        stdio: ['pipe', 'pipe', log],
      });
    } finally {
      closeSync(log);
    }
    this.#child.once('error', (error) => this.#fail(`it could not be started: ${error.message}`));
    this.#child.once('exit', (code, signal) => this.#fail(`it ended with ${signal ?? `exit code ${code}`}`));
    this.#child.stdin?.on('error', () => {});
    createInterface({ input: this.#child.stdout! }).on('line', (line) => this.#take(line));
    this.#hold(false);
  }

  /** Whether calls can be made: not once the process is gone. */
  get isAlive(): boolean {
    return this.#failure === undefined;
  }

  /** Asks the host. Throws `TestingError` `failed`, `bad-argument` or `host-ended`, or the signal's reason, when the call is given up there too. */
  async call<Name extends CallName>(
    call: Name,
    parameters: Calls[Name][0],
    signal?: AbortSignal,
  ): Promise<Calls[Name][1]> {
    signal?.throwIfAborted();
    if (this.#failure) throw this.#failure;
    this.#lastId += 1;
    const id = this.#lastId;
    const leave = onAbort(signal, () => this.#send({ id, cancel: true }));
    this.#hold(true);
    try {
      const answered = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
      this.#send({ id, call, parameters });
      return (await answered) as Calls[Name][1];
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      leave();
      this.#pending.delete(id);
      if (this.#pending.size === 0) this.#hold(false);
    }
  }

  /** Starts a cluster; one that came up while its start was given up is ended again. */
  async start<Name extends 'startNode' | 'startApiServer'>(
    call: Name,
    parameters: Calls[Name][0],
    signal?: AbortSignal,
  ): Promise<Started> {
    const started: Started = await this.call(call, parameters, signal);
    if (!signal?.aborted) return started;
    await this.call('stop', { cluster: started.cluster });
    throw signal.reason;
  }

  #send(request: Request): void {
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
  }

  #take(line: string): void {
    const answer = JSON.parse(line) as Answer;
    const pending = this.#pending.get(answer.id);
    if ('failure' in answer) pending?.reject(new TestingError(answer.code, answer.failure));
    else pending?.resolve(answer.result);
  }

  #fail(what: string): void {
    const tail = logTail(this.#log);
    this.#failure ??= new TestingError(
      'host-ended',
      `the process of API server and node is gone, ${what}${tail ? `; the end of its log:\n${tail}` : ''}`,
    );
    for (const { reject } of this.#pending.values()) reject(this.#failure);
  }

  /** Whether the host's pipes keep this process alive. */
  #hold(isHeld: boolean): void {
    // Bun's streams of a process have neither, and keep nothing alive.
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout] as Partial<
      ChildProcess & Socket
    >[]) {
      if (isHeld) handle.ref?.();
      else handle.unref?.();
    }
  }
}

let current: HostConnection | undefined;
let starting: Promise<HostConnection> | undefined;

/** The host of this process; a new one when there is none, or the last one died. */
export async function host(): Promise<HostConnection> {
  if (current?.isAlive) return current;
  starting ??= start().finally(() => {
    starting = undefined;
  });
  return starting;
}

async function start(): Promise<HostConnection> {
  current = new HostConnection(await bundled(entry));
  return current;
}
