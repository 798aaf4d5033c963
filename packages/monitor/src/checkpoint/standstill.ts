import { aborted } from '@wherry/bytes';
import { sleep } from '@wherry/clock';
import { identifyProcess, type ProcessIdentity } from '@wherry/linux';
import { type CheckpointFolders, MonitorError } from '@wherry/monitor-api';
import type { Logger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { WatchedProcess, type WatchTools } from '../process/exit-watch.ts';
import { requireCriu } from './criu.ts';

/** A container as its checkpoints see it. */
export interface Checkpointed {
  readonly request: { readonly id: string };
  /** `standstill`: its processes stand still, by this program once that has been started. */
  readonly record: { standstill?: { program: ProcessIdentity | null } | undefined };
  readonly noted: { save(): void; note(): boolean };
  /** Null once it has ended. */
  readonly process: object | null;
  readonly dependencies: WatchTools & { readonly logger: Logger };
  readonly oci: {
    pause(): Promise<void>;
    resume(): Promise<void>;
    checkpoint(folders: CheckpointFolders, spawned: (pid: number) => void): Promise<void>;
  };
}

/**
 * Checkpoints of one container, whose processes stand still meanwhile. They always go on again: who asked may go, and of
 * what a killed monitor has stopped its record tells the next one.
 */
export class Standstill {
  readonly #container: Checkpointed;
  #isLeft = false;
  #current: { release(): void; over: Promise<void> } | null = null;

  constructor(container: Checkpointed) {
    this.#container = container;
  }

  /** See `container.checkpoint`. Rejects with `FAILED_PRECONDITION` while there is one already. */
  async checkpoint(
    folders: CheckpointFolders,
    { signal, written }: { signal: AbortSignal; written: () => void },
  ): Promise<void> {
    if (this.#current)
      throw new MonitorError(
        'FAILED_PRECONDITION',
        `container "${this.#container.request.id}" is being checkpointed already`,
      );
    requireCriu(this.#container.request.id);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await this.#during(release, async () => {
      const { oci, record, noted } = this.#container;
      await oci.pause();
      signal.throwIfAborted();
      await oci.checkpoint(folders, (pid) => {
        record.standstill = { program: identifyProcess(pid) };
        noted.note();
      });
      written();
      await Promise.race([released, aborted(signal)]);
      signal.throwIfAborted();
    });
  }

  /** Lets the processes go on; settles when they do. Nothing that holds them is fine. */
  async end(): Promise<void> {
    this.#current?.release();
    await this.#current?.over;
  }

  /** Lets go on what an earlier monitor stopped, once the program that it had started has ended. */
  takeOn(): void {
    const { record, dependencies: tools } = this.#container;
    const { standstill } = record;
    if (!standstill) return;
    const { program } = standstill;
    void this.#during(
      () => {},
      async () => {
        await (program && WatchedProcess.open({ pid: program.pid, identity: program, tools }))?.exited;
      },
    );
  }

  /** Leaves it to the next monitor. */
  abandon(): void {
    this.#isLeft = true;
  }

  async #during(release: () => void, work: () => Promise<void>): Promise<void> {
    const { promise: over, resolve: isOver } = Promise.withResolvers<void>();
    this.#current = { release, over };
    const { record, noted } = this.#container;
    try {
      record.standstill ??= { program: null };
      noted.save();
      try {
        await work();
      } finally {
        await this.#goOn();
      }
    } finally {
      record.standstill = undefined;
      this.#current = null;
      isOver();
    }
  }

  async #goOn(): Promise<void> {
    const { request, record, noted, oci, dependencies } = this.#container;
    for (let attempt = 1; this.#container.process && !this.#isLeft; attempt++) {
      try {
        await oci.resume();
        break;
      } catch (error) {
        if (/not paused/.test(String(error))) break;
        if (attempt === limits.resumeAttempts) {
          dependencies.logger.error('a container stands still', { container: request.id, error });
          break;
        }
      }
      await sleep({ clock: dependencies.clock, delayMs: limits.resumeRetryMs });
    }
    if (this.#isLeft) return;
    record.standstill = undefined;
    noted.note();
  }
}
