import type { Session, SessionEnd, SessionFlow, SessionList, SessionSide } from '@wherry/telemetry';
import {
  endText,
  flowsOf,
  hopTitle,
  joinSessions,
  type PathHop,
  type SessionPath,
  secondsBetween,
  type UnseenHop,
  unseenHops,
} from '@wherry/telemetry/session-paths';
import { sizeText } from './sizes.ts';

/** One hop of a session's way. */
export interface HopRow {
  /** `API server`, `kubelet of NODE`, `streaming server of NODE`. */
  hop: string;
  /** How the side of the client speaks to it, and from where. */
  from: string;
  /** What it speaks to the next hop; empty at the last. */
  to: string;
  up: FlowWords;
  down: FlowWords;
}

/** A hop that does not tell of the session. */
export interface UnseenRow {
  hop: string;
  reason: string;
}

/** One direction through a hop. */
export interface FlowWords {
  /** `12.3 KiB`. */
  bytes: string;
  /** `4.0 KiB/s`; empty where nothing passes. */
  rate: string;
  /** `waits 3 s for the client; 64 KiB held`; empty where it flows. */
  wait: string;
}

/** A session, with all hops that know it. */
export interface SessionRow {
  id: string;
  kind: string;
  /** `NAMESPACE/POD/CONTAINER`. */
  target: string;
  /** The command, or the ports. */
  what: string;
  user: string;
  /** `open for 5 s`, `ended: exit code 0`. */
  state: string;
  tone: 'good' | 'waiting' | 'bad' | 'over';
  hops: HopRow[];
  unseen: UnseenRow[];
}

/** What the hops say, and which of them say nothing. */
export interface SessionSight {
  hops: readonly SessionList[];
  /** The same a moment ago, of which rates are counted. */
  before: readonly SessionList[];
  unseen: readonly UnseenHop[];
}

/** The sessions of all hops, joined by their ids: live ones first, the oldest first. A pure function. */
export function sessionRows({ hops, before, unseen }: SessionSight): SessionRow[] {
  return joinSessions(hops).map((path) => rowOf(path, { before, unseen }));
}

function rowOf(path: SessionPath, { before, unseen }: Pick<SessionSight, 'before' | 'unseen'>): SessionRow {
  const { id, kind, namespace, pod, container, command, ports, commandIsCut, user = '', end } = path;
  const isOver = path.state === 'ended';
  const hops = path.hops.map((hop) => hopRow(hop, previousOf(hop, before)));
  const isWaiting = hops.some(({ up, down }) => up.wait !== '' || down.wait !== '');
  const now = path.hops[0]?.time ?? '';
  const words = command?.join(' ');
  const opened = path.openTime;
  return {
    ...{ id, kind, user, hops },
    target: [namespace, pod, container].filter(Boolean).join('/'),
    what:
      words !== undefined ? `${words}${commandIsCut ? '…' : ''}` : ports ? `ports ${ports.join(', ')}` : '',
    state: isOver ? endText(end) : opened ? `open for ${secondsBetween(opened, now)} s` : 'connecting',
    tone: isOver ? endTone(end) : opened && !isWaiting ? 'good' : 'waiting',
    unseen: unseenHops(path, unseen).map((one) => ({ hop: hopTitle(one), reason: one.reason })),
  };
}

const endTone = (end: SessionEnd | undefined) =>
  end?.reason === 'broken' || end?.reason === 'failed' || end?.reason === 'refused' ? 'bad' : 'over';

/** What the hop said of the session a moment ago. */
interface Previous {
  session: Session;
  elapsedMs: number;
}

function previousOf(hop: PathHop, before: readonly SessionList[]): Previous | undefined {
  const then = before.find(
    (one) => one.hop === hop.hop && (one.hop === 'apiserver' || one.node === hop.node),
  );
  const session = then?.items.find(({ key }) => key === hop.session.key);
  return then && session && { session, elapsedMs: Date.parse(hop.time) - Date.parse(then.time) };
}

function hopRow(hop: PathHop, previous: Previous | undefined): HopRow {
  const { session, time } = hop;
  const side = (end: SessionSide = {}) => [end.protocol, end.address].filter(Boolean).join(' ');
  const words = (way: 'up' | 'down') =>
    flowWords(flowsOf(hop, way), previous && flowsOf(previous, way), {
      elapsedMs: previous?.elapsedMs ?? 0,
      now: time,
    });
  return {
    hop: hopTitle(hop),
    ...{ from: side(session.client), to: side(session.backend), up: words('up'), down: words('down') },
  };
}

function flowWords(
  flows: readonly SessionFlow[],
  before: readonly SessionFlow[] | undefined,
  { elapsedMs, now }: { elapsedMs: number; now: string },
): FlowWords {
  const sum = (all: readonly SessionFlow[]) => all.reduce((total, { bytes }) => total + bytes, 0);
  const bytes = sum(flows);
  const more = before && elapsedMs > 0 ? bytes - sum(before) : 0;
  // Streams of one connection share what it holds.
  const held = Math.max(0, ...flows.map(({ heldBytes = 0 }) => heldBytes));
  const waiting = flows.find(({ waitsFor }) => waitsFor !== undefined);
  const since = waiting?.waitingSince;
  const long = since ? ` ${secondsBetween(since, now)} s` : '';
  const words = [waiting && `waits${long} for the ${waiting.waitsFor}`, held > 0 && `${sizeText(held)} held`];
  return {
    bytes: sizeText(bytes),
    rate: more > 0 ? `${sizeText((more * 1000) / elapsedMs)}/s` : '',
    wait: words.filter(Boolean).join('; '),
  };
}
