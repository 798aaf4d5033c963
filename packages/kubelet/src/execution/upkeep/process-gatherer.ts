import { readlinkSync } from 'node:fs';
import { type Clock, sleep } from '@wherry/clock';
import {
  type CgroupLayout,
  createGroup,
  detectCgroups,
  enterGroup,
  foldersAt,
  hasCode,
  membersOf,
} from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import { gatherMs, gatherRoundsMax } from '../../limits.ts';

/** What gathers the machine's processes. */
export interface ProcessGathererOptions {
  /** `systemCgroups`: where to. */
  group: string;
  clock: Clock;
  logger: Logger;
  /** Group whose own members are moved. Default: the one above all. */
  from?: string;
}

/**
 * Moves each process of the machine that is in no control group but the root into the group of `systemCgroups`, and does so again
 * once a minute (upstream: ensureSystemCgroups). Threads of the kernel stay, since no bound is to hold them up, and so does the
 * first process. What was moved stays there when the kubelet ends.
 */
export class ProcessGatherer {
  readonly #options: ProcessGathererOptions;
  readonly #abort = new AbortController();

  constructor(options: ProcessGathererOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#run();
  }

  close(): void {
    this.#abort.abort(new Error('the kubelet is stopping'));
  }

  async #run(): Promise<void> {
    const { clock, logger, group } = this.#options;
    const { signal } = this.#abort;
    let said = '';
    while (!signal.aborted) {
      try {
        this.gather();
        said = '';
      } catch (error) {
        const text = String(error);
        if (text !== said)
          logger.warn('processes of the machine are not all in their group', { group, error });
        said = text;
      }
      await sleep({ clock, delayMs: gatherMs, signal }).catch(() => {});
    }
  }

  /** One turn: round by round, since processes make others meanwhile. Throws what the kernel said of one that can't be moved. */
  gather(): void {
    const layout = detectCgroups();
    const target = foldersAt(layout, this.#options.group);
    createGroup(target);
    let refusal: unknown;
    for (let round = 0; round < gatherRoundsMax; round++) {
      const pids = this.#strays(layout);
      if (pids.length === 0) return;
      for (const pid of pids) {
        try {
          enterGroup(target, pid);
        } catch (error) {
          if (!hasCode(error, 'ESRCH')) refusal = error;
        }
      }
    }
    if (refusal !== undefined) throw refusal;
  }

  #strays(layout: CgroupLayout): number[] {
    const members = membersOf(foldersAt(layout, this.#options.from ?? '/'));
    return members.filter((pid) => pid !== 1 && hasProgram(pid));
  }
}

/** Not so: threads of the kernel, and what has just ended. */
function hasProgram(pid: number): boolean {
  try {
    readlinkSync(`/proc/${pid}/exe`);
    return true;
  } catch (error) {
    return !hasCode(error, 'ENOENT', 'ESRCH');
  }
}
