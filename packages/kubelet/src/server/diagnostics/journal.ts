import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, constants as zip } from 'node:zlib';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { descriptorPath, signalById } from '@wherry/linux';
import { journalMs, journalsMax, journalUnitsBytesMax } from '../../limits.ts';
import { HttpError, leavingOf } from '../answers.ts';
import type { JournalQuery } from './journal-query.ts';
import { openBelow } from './system-logs.ts';

/** What a journal is read with. */
export interface JournalOptions {
  clock: Clock;
  /** Folder of the files in which services log that have no journal. */
  root: string;
  /** Default `journalctl`. */
  program?: string;
}

/** Answers queries of services' logs: from the journal, else from a file of the service's name. */
export class Journal {
  readonly #options: Required<JournalOptions>;
  #running = 0;

  constructor(options: JournalOptions) {
    this.#options = { program: 'journalctl', ...options };
  }

  /** Throws 429 while several are under way. What goes wrong later is told in the text, as upstream. */
  async serve(query: JournalQuery, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#running >= journalsMax)
      throw new HttpError(429, 'too many queries of logs at once', [['Retry-After', '1']]);
    this.#running += 1;
    const { clock } = this.#options;
    const wait = deadline({ clock, timeoutMs: journalMs, signal: leavingOf(response), what: 'the journal' });
    try {
      response.setHeader('content-type', 'text/plain;charset=UTF-8');
      response.setHeader('x-content-type-options', 'nosniff');
      const isPacked = request.headers['accept-encoding'] === 'gzip';
      if (isPacked) response.setHeader('content-encoding', 'gzip');
      const output = this.#text(query, wait.signal);
      if (isPacked) await pipeline(output, createGzip({ level: zip.Z_BEST_SPEED }), response);
      else await pipeline(output, response);
    } finally {
      wait.cleanup();
      this.#running -= 1;
    }
  }

  async *#text({ services, selection }: JournalQuery, signal: AbortSignal): AsyncGenerator<Buffer | string> {
    const units = await this.#units(signal).catch(() => '');
    const ofJournal = services.filter((service) => units.includes(`${service}.service`));
    const ofFiles = services.filter((service) => !ofJournal.includes(service));
    try {
      if (ofJournal.length > 0) {
        const wanted = ofJournal.map((service) => `--unit=${service}`);
        const shown = ['--utc', '--no-pager', '--output=short-precise'];
        yield* this.#run([...shown, ...selection, ...wanted], signal);
      }
      if (ofFiles.length > 0 && selection.length > 0) {
        const names = ofFiles.join(' ');
        yield `\noptions present and query resolved to log files for [${names}]\ntry without specifying options\n`;
        return;
      }
      for (const service of ofFiles) yield* this.#file(service);
    } catch (error) {
      yield `\nerror: ${(error as Error).message}\n`;
    }
  }

  /** Every unit that the journal knows, as it prints them. */
  async #units(signal: AbortSignal): Promise<string> {
    let text = '';
    for await (const chunk of this.#run(['--field', '_SYSTEMD_UNIT'], signal)) {
      text += chunk.toString('utf8');
      if (text.length > journalUnitsBytesMax) break;
    }
    return text;
  }

  async *#run(args: readonly string[], signal: AbortSignal): AsyncGenerator<Buffer> {
    const { program } = this.#options;
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const failed = new Promise<never>((_, reject) => {
      child.once('error', (error) => reject(new Error(`journal output not available: ${error.message}`)));
    });
    failed.catch(() => {});
    const end = () => killGroup(child);
    const leave = onAbort(signal, end);
    // What it complains of is part of its output, as upstream; a complaint is short.
    let complaints = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaints.length < journalUnitsBytesMax) complaints += chunk.toString('utf8');
    });
    try {
      const chunks = child.stdout[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await Promise.race([chunks.next(), failed]);
        if (done) break;
        yield value as Buffer;
      }
      signal.throwIfAborted();
      if (complaints) yield Buffer.from(complaints);
    } finally {
      leave();
      end();
    }
  }

  /** `NAME`, `NAME.log` or `NAME/NAME.log`, whichever is there first. */
  async *#file(service: string): AsyncGenerator<Buffer | string> {
    for (const name of [service, `${service}.log`, `${service}/${service}.log`]) {
      const descriptor = openLog(this.#options.root, name);
      if (descriptor === undefined) continue;
      try {
        await using file = await open(descriptorPath(descriptor));
        const { size } = fstatSync(descriptor);
        if (size > 0)
          yield* file.createReadStream({ end: size - 1, autoClose: false }) as AsyncIterable<Buffer>;
      } finally {
        closeSync(descriptor);
      }
      return;
    }
    yield `\nlog not found for ${service}\n`;
  }
}

/** Of a plain file; undefined where there is none of that name. */
function openLog(root: string, name: string): number | undefined {
  try {
    const descriptor = openBelow(root, name);
    if (fstatSync(descriptor).isFile()) return descriptor;
    closeSync(descriptor);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError && error.statusCode === 404) return undefined;
    throw error;
  }
}

function killGroup({ pid, exitCode }: ChildProcessByStdio<null, Readable, Readable>): void {
  if (pid !== undefined && exitCode === null) signalById(-pid, constants.signals.SIGKILL);
}
