import { writeFile } from 'node:fs/promises';
import { setOpenFilesMax } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import type { KubeletConfiguration } from '../../configuration/configuration.ts';

/**
 * Tells the kernel how soon to kill this process when memory runs out, and how many files it may have open, which programs that
 * it starts inherit. Where it may not, that is said, and the process stays as it is, as upstream.
 */
export async function settleProcess(
  { oomScoreAdj, maxOpenFiles }: Pick<KubeletConfiguration, 'oomScoreAdj' | 'maxOpenFiles'>,
  logger: Logger,
): Promise<void> {
  await writeFile('/proc/self/oom_score_adj', String(oomScoreAdj)).catch((error: unknown) => {
    logger.warn('oomScoreAdj could not be applied to this process', { oomScoreAdj, error });
  });
  try {
    setOpenFilesMax(maxOpenFiles);
  } catch (error) {
    logger.warn('maxOpenFiles could not be applied to this process', { maxOpenFiles, error });
  }
}
