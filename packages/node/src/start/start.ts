import type { NodeLayout } from '../layout/layout.ts';
import { lockNode } from '../layout/lock.ts';
import { bringUp, type StartedNode, type StartOptions } from './bring-up.ts';

/**
 * Brings up what is missing of the node in `layout` and waits until it is Ready, or as near to that as its full disk lets it be. May be repeated; two at once wait for
 * each other. The processes outlive the caller. Needs root. Throws `NodeError`, with the end of the log of a process
 * that died.
 */
export async function startNode(layout: NodeLayout, options: StartOptions = {}): Promise<StartedNode> {
  using _lock = await lockNode(layout, options.signal);
  return await bringUp(layout, options);
}
