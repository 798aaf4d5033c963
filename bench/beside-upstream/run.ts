/**
 * Upstream's own node and ours on one machine, measured turn by turn.
 *
 *   npm run bench -- beside-upstream [--turns N] [pods exec forward objects roll-out memory]
 *
 * Builds Kubernetes 1.36 and containerd from their Go modules: a long while the first time.
 */
import { MeasuredNode } from '../node.ts';
import { choiceOf, printTurns } from '../turns/turns.ts';
import { untilTold } from '../until-told.ts';
import { buildPrograms } from './programs.ts';
import { UpstreamNode } from './upstream-node.ts';

/** Measures the chosen parts; `words` are those of the command line. */
export async function besideUpstream(words: string[]): Promise<void> {
  const choice = choiceOf(words);
  const programs = await buildPrograms();
  const wherry = await MeasuredNode.start();
  try {
    const peer = await UpstreamNode.start({ programs, donor: wherry.dataDir });
    try {
      await untilTold(() => printTurns({ peerName: 'upstream', peer, wherry }, choice));
    } finally {
      await peer.close();
    }
  } finally {
    await wherry.close();
  }
}
