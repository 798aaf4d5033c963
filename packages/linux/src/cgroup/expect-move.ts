import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CgroupLayout, parseProcessCgroups } from './layout.ts';

/** Makes moves of processes between control groups quick, by making one ahead of them. */
export class CgroupMoves {
  readonly #layout: CgroupLayout;
  #underWay: Promise<void> | undefined;

  constructor(layout: CgroupLayout) {
    this.#layout = layout;
  }

  /**
   * Says that a process is about to be moved between control groups. The first move after a pause waits for an RCU grace
   * period of the whole machine (about 10 ms), those soon after it do not: here this process "moves" to the group that it
   * is in already, so that the wait is over, or nearly, when the real move comes. Never rejects: without it all is as it
   * was, only later.
   */
  expect(): Promise<void> {
    this.#underWay ??= moveToOwnGroup(this.#layout)
      .catch(() => {})
      .finally(() => {
        this.#underWay = undefined;
      });
    return this.#underWay;
  }
}

/** Off the main thread throughout: whoever looks at control groups during the wait waits as well. */
async function moveToOwnGroup(layout: CgroupLayout): Promise<void> {
  const { unified, controllers } = parseProcessCgroups(layout, await readFile('/proc/self/cgroup', 'utf8'));
  const folder = unified ?? controllers.values().next().value;
  if (folder) await writeFile(join(folder, 'cgroup.procs'), '0', { flag: 'r+' });
}
