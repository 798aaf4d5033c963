/** A process that the kernel ended for want of memory. */
export interface MemoryKill {
  pid: number;
  /** Its name, as the kernel knows it. */
  process: string;
  /** The memory of the whole machine had run out, not that of a control group. */
  isOfSystem: boolean;
}

const cause = /^oom-kill:constraint=/;
const limitedGroup = /,oom_memcg=([^,]*),/;
const killed = /Killed process (\d+) \((.+)\)/;

/**
 * Finds the kernel's kills in the records of its log, one after the other. A record is `level,sequence,time,flags;text`; what
 * programs write there has a facility of their own in its level and is passed over.
 */
export class KillFinder {
  #group: string | undefined;

  /** The kill that this record completes, if it does. */
  read(record: string): MemoryKill | undefined {
    const semicolon = record.indexOf(';');
    const level = Number.parseInt(record, 10);
    if (semicolon < 0 || Number.isNaN(level) || level > 7) return undefined;
    const text = record.slice(semicolon + 1);
    if (cause.test(text)) {
      this.#group = limitedGroup.exec(text)?.[1];
      return undefined;
    }
    const [, pid, process] = killed.exec(text.split('\n', 1)[0] ?? '') ?? [];
    if (pid === undefined || process === undefined) return undefined;
    const group = this.#group;
    this.#group = undefined;
    return { pid: Number(pid), process, isOfSystem: group === undefined || group === '/' };
  }
}
