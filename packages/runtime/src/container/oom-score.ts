import { readFileSync, writeFileSync } from 'node:fs';
import { type CgroupFolders, hasCode, processesOf } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Sets one process's score; answers whether it differed. A process that has ended is fine. */
function setScore(pid: number, score: number): boolean {
  const path = `/proc/${pid}/oom_score_adj`;
  try {
    if (Number(readFileSync(path, 'utf8')) === score) return false;
    writeFileSync(path, String(score));
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return false;
    if (!hasCode(error, 'EACCES')) throw error;
    const why = `oom_score_adj ${score} is lower than this machine lets it be: that needs CAP_SYS_RESOURCE`;
    throw new RuntimeError('FAILED_PRECONDITION', why, { cause: error });
  }
}

/**
 * Gives every process of a control group the same oom_score_adj, which no OCI runtime does after the start. Children
 * inherit it, so that it looks again until nothing is left to change. Throws `RuntimeError` FAILED_PRECONDITION.
 */
export function setOomScore(folders: CgroupFolders, score: number): void {
  for (let round = 0; round < limits.oomScoreRoundsMax; round++) {
    const changed = processesOf(folders).filter((pid) => setScore(pid, score));
    if (changed.length === 0) return;
  }
}
