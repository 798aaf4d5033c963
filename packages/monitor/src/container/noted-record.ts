import type { Clock, Timer } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { type ContainerRecord, saveRecord } from './record.ts';

/** What a record is noted with. */
export interface NotedRecordOptions {
  /** The container's own folder. */
  folder: string;
  record: ContainerRecord;
  clock: Clock;
  logger: Logger;
}

/** A container's record on its disk, which may have no room for what has happened already. */
export class NotedRecord {
  readonly #options: NotedRecordOptions;
  #isNoted = true;
  #waiting: { timer: Timer; done: () => void } | null = null;

  constructor(options: NotedRecordOptions) {
    this.#options = options;
  }

  /** Throws when it cannot be saved: for what is to happen only then. */
  save(): void {
    saveRecord(this.#options.folder, this.#options.record);
    this.#isNoted = true;
  }

  /** Answers whether it could be saved. The first failure of a row is logged. */
  note(): boolean {
    try {
      this.save();
    } catch (error) {
      const { record, logger } = this.#options;
      const facts = { container: record.request.id, error };
      if (this.#isNoted) logger.error('what a container came to could not be noted', facts);
      this.#isNoted = false;
    }
    return this.#isNoted;
  }

  /** Notes it, now or as soon as it can be; `done` runs then, or when it is forgotten. */
  noteAtLast(done: () => void): void {
    this.#waiting = null;
    if (this.note()) {
      done();
      return;
    }
    const timer = this.#options.clock.after(limits.recordRetryMs, () => this.noteAtLast(done));
    this.#waiting = { timer, done };
  }

  /** The container is removed: nothing of it is noted any more. */
  forget(): void {
    const waiting = this.#waiting;
    this.letGo();
    waiting?.done();
  }

  /** Leaves what is not noted to the next monitor. */
  letGo(): void {
    this.#waiting?.timer.cancel();
    this.#waiting = null;
  }
}
