import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { orAborted } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { logindAnswerMs } from '../../limits.ts';

const complaintCharactersMax = 1_000;

/** A tool that runs until it is ended; it ends with this process in any case. */
export class WaitingTool {
  readonly #name: string;
  readonly #child: ChildProcessWithoutNullStreams;
  #complaint = '';
  /** Resolves with how it ended, or why it could not begin. */
  readonly ended: Promise<string>;

  constructor(name: string, words: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#name = name;
    // A child outlives a process that is killed, unless the kernel was told.
    const child = spawn('setpriv', ['--pdeathsig', 'TERM', name, ...words], {
      env: { ...environment, SYSTEMD_LOG_LEVEL: 'info', SYSTEMD_LOG_TARGET: 'console' },
    });
    this.#child = child;
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = `${this.#complaint}${text}`.slice(-complaintCharactersMax);
    });
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
      child.once('exit', (code, signal) =>
        resolve(`${name} ended with ${signal ?? `exit code ${code}`}: ${this.#complaint.trim()}`),
      );
    });
  }

  get stdin() {
    return this.#child.stdin;
  }

  get stdout() {
    return this.#child.stdout;
  }

  get stderr() {
    return this.#child.stderr;
  }

  end(): void {
    this.#child.kill();
  }

  /** Resolves when it has said these words there. Ends it, and rejects, where it ends or takes too long before. */
  async says(
    output: Readable,
    words: string,
    { clock, signal }: { clock: Clock; signal: AbortSignal },
  ): Promise<void> {
    const said = Promise.withResolvers<void>();
    let text = '';
    const listen = (chunk: Buffer | string) => {
      text = `${text}${chunk}`.slice(-complaintCharactersMax);
      if (text.includes(words)) said.resolve();
    };
    using wait = deadline({ clock, timeoutMs: logindAnswerMs, signal, what: this.#name });
    const ended = this.ended.then((how) => Promise.reject(new Error(how)));
    output.on('data', listen);
    try {
      await orAborted(Promise.race([said.promise, ended]), wait.signal);
    } catch (error) {
      this.end();
      throw error;
    } finally {
      output.off('data', listen);
      output.resume();
    }
  }
}
