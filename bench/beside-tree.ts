/**
 * The node of another tree of wherry, such as a clone at an older commit, and this one's, measured turn by turn.
 *
 *   npm run bench -- beside-tree TREE [--turns N] [pods exec forward objects roll-out memory]
 */
import { MeasuredNode } from './node.ts';
import { choiceOf, printTurns } from './turns/turns.ts';
import { untilTold } from './until-told.ts';

/** Measures the chosen parts; `words` are those of the command line. */
export async function besideTree(words: string[]): Promise<void> {
  const choice = choiceOf(words, 1);
  const [tree] = choice.rest;
  if (tree === undefined)
    throw new Error('name the folder of the other tree: npm run bench -- beside-tree TREE');
  const wherry = await MeasuredNode.start();
  try {
    const peer = await MeasuredNode.start(tree);
    try {
      await untilTold(() => printTurns({ peerName: 'the other tree', peer, wherry }, choice));
    } finally {
      await peer.close();
    }
  } finally {
    await wherry.close();
  }
}
