import { readFileSync, writeFileSync } from 'node:fs';
import { type CgroupFolders, hasCode, processesOf } from '@wherry/linux';
import { RuntimeError } from '../errors.ts';
import { limits } from '../limits.ts';

/** Sets one process's score; answers what it was where that differed. A process that has ended is fine. */
function setScore(pid: number, score: number): number | undefined {
  const path = `/proc/${pid}/oom_score_adj`;
  try {
    const before = Number(readFileSync(path, 'utf8'));
    if (before === score) return undefined;
    writeFileSync(path, String(score));
    return before;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined;
    if (!hasCode(error, 'EACCES')) throw error;
    const why = `oom_score_adj ${score} is lower than this machine lets it be: that needs CAP_SYS_RESOURCE`;
    throw new RuntimeError('FAILED_PRECONDITION', why, { cause: error });
  }
}

/**
 * Gives every process of a control group the same oom_score_adj, which no OCI runtime does after the start. Children
 * inherit it, so that it looks again until nothing is left to change. Throws `RuntimeError` FAILED_PRECONDITION, and has
 * changed nothing then. What it answers takes the change back.
 */
export function setOomScore(folders: CgroupFolders, score: number): () => void {
  const before = new Map<number, number>();
  const takeBack = () => restore(folders, before);
  try {
    inRounds(folders, (pid) => {
      const was = setScore(pid, score);
      if (was !== undefined) before.set(pid, was);
      return was !== undefined;
    });
  } catch (error) {
    takeBack();
    throw error;
  }
  return takeBack;
}

/** Processes that were born meanwhile get what the first one had. */
function restore(folders: CgroupFolders, before: ReadonlyMap<number, number>): void {
  const [usual] = before.values();
  if (usual === undefined) return;
  inRounds(folders, (pid) => setScore(pid, before.get(pid) ?? usual) !== undefined);
}

function inRounds(folders: CgroupFolders, changes: (pid: number) => boolean): void {
  for (let round = 0; round < limits.oomScoreRoundsMax; round++)
    if (processesOf(folders).filter(changes).length === 0) return;
}
