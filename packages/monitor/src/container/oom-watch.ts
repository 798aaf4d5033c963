import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, sleep } from '@wherry/clock';
import {
  type CgroupFolders,
  closeDescriptor,
  openEventCounter,
  type Poller,
  pollEvents,
  readGroupFile,
  readNow,
  readOutOfMemoryKills,
  type Watch,
} from '@wherry/linux';
import { limits } from '../limits.ts';

const bytesOfCounter = 8;

/**
 * Tells whether the kernel killed for memory in a control group that may be gone by the time it is asked: systemd takes a
 * scope away once it is empty. Version 2 counts such kills in the groups above too; version 1 tells of them as they come.
 */
export class OutOfMemoryWatch {
  readonly #folders: CgroupFolders;
  readonly #killsAbove: number;
  readonly #counter: number | undefined;
  #watch: Watch | undefined;
  #notices = 0n;
  #wasSeen = false;

  /** `killsAboveBefore` is what {@link killsAbove} said before the group's first process began, which may have ended since. */
  constructor(
    folders: CgroupFolders,
    { poller, killsAboveBefore }: { poller: Poller; killsAboveBefore: number | undefined },
  ) {
    this.#folders = folders;
    this.#killsAbove = killsAboveBefore ?? killsAbove(folders);
    const legacy = folders.controllers.get('memory');
    this.#counter = legacy === undefined ? undefined : noticesOf(legacy);
    if (this.#counter !== undefined)
      this.#watch = poller.watch(this.#counter, pollEvents.readable, () => {
        this.#take();
        this.#watch?.again();
      });
  }

  /** Ends the watch: whether such a kill is what ended a process that SIGKILL ended. */
  async end(clock: Clock): Promise<boolean> {
    this.#take();
    // The group's own end is a notice too, which may come a moment later than the group goes.
    if (this.#counter !== undefined && !this.#wasSeen && this.#notices === 1n) {
      await sleep({ clock, delayMs: limits.groupEndNoticeMs });
      this.#take();
    }
    this.close();
    if (this.#folders.controllers.has('memory')) return this.#wasSeen || this.#notices > 1n;
    return killsAbove(this.#folders) > this.#killsAbove;
  }

  close(): void {
    if (!this.#watch || this.#counter === undefined) return;
    this.#watch.stop();
    this.#watch = undefined;
    closeDescriptor(this.#counter);
  }

  #take(): void {
    if (!this.#watch || this.#counter === undefined) return;
    const count = Buffer.alloc(bytesOfCounter);
    if (readNow(this.#counter, count) !== bytesOfCounter) return;
    this.#notices += count.readBigUInt64LE();
    if (isThere(this.#folders)) this.#wasSeen = true;
  }
}

/** Whether the group is there still: then it tells by itself. */
export function isThere({ controllers, unified }: CgroupFolders): boolean {
  const folder = controllers.get('memory') ?? unified;
  return folder != null && readGroupFile(join(folder, 'cgroup.procs')) !== null;
}

/** How many processes the kernel killed for memory in the group above and below it; 0 where that is not counted together. */
export function killsAbove({ controllers, unified }: CgroupFolders): number {
  if (controllers.has('memory') || unified === null) return 0;
  return readOutOfMemoryKills({ controllers, unified: dirname(unified) });
}

/** An event counter that the kernel raises (cgroup-v1/memory.rst, "OOM Control"); undefined where the group is gone already. */
function noticesOf(folder: string): number | undefined {
  const counter = openEventCounter();
  try {
    const control = openSync(join(folder, 'memory.oom_control'), 'r');
    try {
      writeFileSync(join(folder, 'cgroup.event_control'), `${counter} ${control}`);
    } finally {
      closeSync(control);
    }
    return counter;
  } catch {
    closeDescriptor(counter);
    return undefined;
  }
}
