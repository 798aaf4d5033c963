import {
  chmodSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { type AuditEvent, type EventFormat, jsonLine, legacyLine } from './audit-event.ts';
import { OldLogs } from './audit-log-files.ts';
import type { AuditPart, AuditSink } from './audit-sink.ts';
import { eventWithin } from './truncation.ts';

/** How the log is written; names follow kube-apiserver's flags. */
export interface AuditLogOptions {
  /** `-` is the standard output. */
  path: string;
  /** Days that old files are kept; 0: for good. Default 366. */
  maxAgeDays?: number | undefined;
  /** Old files that are kept; 0: all. Default 100. */
  maxBackups?: number | undefined;
  /** Mebibytes after which a new file is begun; 0: never. Default 100. */
  maxSizeMebibytes?: number | undefined;
  /** Old files are packed with gzip. Default false. */
  compresses?: boolean | undefined;
  /** Bytes beyond which an event loses the objects it holds. Default: any. */
  maxEventBytes?: number | undefined;
  /** Default json. */
  format?: 'json' | 'legacy' | undefined;
  /** Default blocking. */
  mode?: AuditMode | undefined;
}

/**
 * `blocking`: a request goes on once its event is written. `blocking-strict`: and it is refused when it can't be.
 * `batch`: events are written a little later, and those that come faster than they can be written are dropped.
 */
export type AuditMode = 'batch' | 'blocking' | 'blocking-strict';

const mebibyte = 1024 * 1024;
const formats: Record<'json' | 'legacy', EventFormat> = { json: jsonLine, legacy: legacyLine };

/** A file of events that is readable by its owner alone, and the older ones beside it. */
export class AuditLog implements AuditSink {
  readonly isStrict: boolean;
  readonly #options: AuditLogOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #line: EventFormat;
  #waiting: AuditEvent[] = [];
  #timer: { cancel(): void } | undefined;
  #file = -1;
  #bytes = 0;
  #hasFailed = false;
  readonly #old: OldLogs;

  /** Throws when the file can't be opened. */
  constructor(options: AuditLogOptions, { clock, logger }: { clock: Clock; logger: Logger }) {
    this.#options = options;
    this.#clock = clock;
    this.#logger = logger;
    this.#line = formats[options.format ?? 'json'];
    this.isStrict = options.mode === 'blocking-strict';
    this.#old = new OldLogs(options, { clock, logger });
    this.#open();
  }

  write(event: AuditEvent): AuditPart | undefined {
    const { mode, maxEventBytes } = this.#options;
    const fitting = eventWithin(event, maxEventBytes);
    if (!fitting) return 'truncate';
    if (mode !== 'batch') return this.#put(this.#line(fitting)) ? undefined : 'log';
    if (this.#waiting.length >= limits.auditEventsMax) return 'buffered';
    this.#waiting.push(fitting);
    this.#timer ??= this.#clock.after(0, () => this.#flush());
    return undefined;
  }

  async close(): Promise<void> {
    this.#flush();
    if (this.#file > 2) closeSync(this.#file);
    this.#file = -1;
    await this.#old.close();
  }

  #flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const events = this.#waiting;
    this.#waiting = [];
    for (const event of events) this.#put(this.#line(event));
  }

  #put(text: string): boolean {
    const bytes = Buffer.from(text);
    try {
      const most = (this.#options.maxSizeMebibytes ?? 100) * mebibyte;
      const isFull = most > 0 && this.#bytes > 0 && this.#bytes + bytes.length > most;
      if (isFull && this.#options.path !== '-') this.#rotate();
      this.#writeWhole(bytes);
      this.#bytes += bytes.length;
      this.#hasFailed = false;
      return true;
    } catch (error) {
      // Once, and not for each event of a full disk.
      if (!this.#hasFailed) this.#logger.error('the audit log can not be written', { error });
      this.#hasFailed = true;
      return false;
    }
  }

  /** Writes all of it. Throws where that can't be: then nothing of it stays in the file. */
  #writeWhole(bytes: Buffer): void {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      // The next event would go on in the same line.
      if (written > 0) this.#takeBack(written);
      throw error;
    }
  }

  #takeBack(bytes: number): void {
    const file = fstatSync(this.#file);
    if (file.isFile()) ftruncateSync(this.#file, Math.max(file.size - bytes, 0));
  }

  #open(): void {
    const { path } = this.#options;
    if (path === '-') {
      this.#file = 1;
      return;
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#file = openSync(path, 'a', 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  /** The file gets the time in its name, and a new one is begun. Throws where that can't be: then the file stays what it was. */
  #rotate(): void {
    const { path } = this.#options;
    const full = this.#file;
    const { mode } = fstatSync(full);
    const oldPath = this.#old.newPath();
    renameSync(path, oldPath);
    try {
      this.#open();
    } catch (error) {
      renameSync(oldPath, path);
      throw error;
    }
    closeSync(full);
    chmodSync(path, mode & 0o777);
    this.#old.tidy();
  }
}
