import { createImageClient, type ImageClient } from '@wherry/images';
import { layoutOf, socketAnswers } from '@wherry/node';
import { CommandError } from '../../errors.ts';
import type { OutputFormat } from '../../output/output-format.ts';
import { interruptible } from '../../terminal/interrupt.ts';

/** Options of every image command. */
export interface ImageOptions {
  dataDir: string;
  imageAddress?: string;
  output?: OutputFormat;
}

/** Runs `work` with the image store of a node, until it is done or Ctrl-C aborts it. Throws `CommandError` where no runtime answers. */
export async function withImages(
  { dataDir, imageAddress }: ImageOptions,
  work: (images: ImageClient, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const socketPath = imageAddress ?? layoutOf(dataDir).imageSocket;
  if (!(await socketAnswers(socketPath))) {
    if (process.geteuid?.() !== 0) {
      throw new CommandError(
        `no runtime answers this user at "${socketPath}"; images belong to root: use sudo`,
      );
    }
    throw new CommandError(`no runtime answers at "${socketPath}"; "wherry up" starts the node`);
  }
  await interruptible((signal) => work(createImageClient(socketPath), signal));
}
