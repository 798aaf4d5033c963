import type { SessionList } from '@wherry/telemetry';
import { decodeSessionList, plainText, type UnseenHop } from '@wherry/telemetry/session-paths';
import { messageOf } from '../models/outcome.ts';

/** What the streaming servers of the cluster tell, as far as the console's machine has them. */
export interface StreamingSight {
  lists: SessionList[];
  unseen: UnseenHop[];
}

/** Asks the console for the streaming servers of these nodes. Throws `signal.reason`. */
export async function readStreamingSessions(
  nodes: readonly string[],
  signal: AbortSignal,
): Promise<StreamingSight> {
  const unseenFor = (reason: string) =>
    nodes.map((node): UnseenHop => ({ hop: 'streaming-server', node, reason: plainText(reason) }));
  try {
    const answer = await fetch(new URL('streaming-servers.json', document.baseURI), { signal });
    if (!answer.ok) return { lists: [], unseen: unseenFor(`the console answers ${answer.status}`) };
    // The console's own server wrote it.
    const { lists, unseen, elsewhere }: { lists: unknown[]; unseen: UnseenHop[]; elsewhere: string } =
      await answer.json();
    const told = lists.flatMap((list) => decodeSessionList(list) ?? []);
    const isTold = ({ node }: UnseenHop) => [...told, ...unseen].some((one) => one.node === node);
    return { lists: told, unseen: [...unseen, ...unseenFor(elsewhere).filter((one) => !isTold(one))] };
  } catch (error) {
    signal.throwIfAborted();
    return { lists: [], unseen: unseenFor(messageOf(error)) };
  }
}
