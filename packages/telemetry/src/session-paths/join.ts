import type { Session, SessionEnd, SessionHop, SessionKind, SessionList } from '../sessions/shape.ts';
import { hopOrder } from './decode-list.ts';
import { present } from './fields.ts';

/** One hop of a session's way, as it tells of itself. */
export interface PathHop {
  hop: SessionHop;
  /** Whose kubelet or streaming server it is. */
  node?: string;
  /** When it said so. */
  time: string;
  session: Session;
}

/** A session with all the hops that tell of it, from the client to the process. What no hop knows is absent. */
export interface SessionPath {
  id: string;
  kind: SessionKind;
  namespace?: string;
  pod?: string;
  container?: string;
  node?: string;
  user?: string;
  command?: string[];
  /** There was more of the command. */
  commandIsCut?: boolean;
  ports?: number[];
  /** `ended` once all its hops say so. */
  state: Session['state'];
  startTime: string;
  openTime?: string;
  /** As the hop tells that knows best: the nearest to the process. */
  end?: SessionEnd;
  hops: PathHop[];
}

/** The sessions of all hops, joined by their ids: those that go on first, the oldest first. A pure function. */
export function joinSessions(lists: readonly SessionList[]): SessionPath[] {
  const found = lists.flatMap((list) => list.items.map((session) => hopOf(list, session)));
  const paths = [...Map.groupBy(found, ({ session }) => session.id)].map(([id, hops]) => pathOf(id, hops));
  const isOver = ({ state }: SessionPath) => Number(state === 'ended');
  return paths.sort(
    (one, other) => isOver(one) - isOver(other) || Date.parse(one.startTime) - Date.parse(other.startTime),
  );
}

function hopOf({ hop, node, time }: SessionList, session: Session): PathHop {
  const where = node ?? (hop === 'apiserver' ? undefined : session.node);
  return present<PathHop>({ hop, node: where, time, session });
}

function pathOf(id: string, parts: readonly PathHop[]): SessionPath {
  const hops = parts.toSorted((one, other) => hopOrder.indexOf(one.hop) - hopOrder.indexOf(other.hop));
  const sessions = hops.map(({ session }) => session);
  const known = <T>(of: (session: Session) => T | undefined): T | undefined =>
    sessions.map(of).find((value) => value !== undefined);
  const ends = sessions.flatMap(({ end }) => end ?? []);
  const isOver = sessions.every(({ state }) => state === 'ended');
  const openTime = known((one) => one.openTime);
  return present<SessionPath>({
    id,
    kind: known((one) => one.kind),
    namespace: known((one) => one.namespace),
    pod: known((one) => one.pod),
    container: known((one) => one.container),
    node: known((one) => one.node) ?? hops.find(({ node }) => node !== undefined)?.node,
    user: known((one) => one.user),
    command: known((one) => one.command),
    commandIsCut: known((one) => one.commandIsCut),
    ports: known((one) => one.ports),
    state: isOver ? 'ended' : openTime ? 'open' : 'connecting',
    startTime: known((one) => one.startTime),
    openTime,
    end: isOver ? (ends.findLast(({ exitCode }) => exitCode !== undefined) ?? ends.at(-1)) : undefined,
    hops,
  });
}
