import type {
  Session,
  SessionEnd,
  SessionFlow,
  SessionList,
  SessionSide,
  SessionStream,
} from '@wherry/telemetry';
import {
  endText,
  flowsOf,
  hopTitle,
  joinSessions,
  type PathHop,
  type SessionPath,
  secondsBetween,
  takerTitle,
  type UnseenHop,
  unseenHops,
  waitOf,
  waitText,
} from '@wherry/telemetry/session-paths';
import { podHref } from './links.ts';
import { sizeText } from './sizes.ts';
import { type Tone, toneFilter } from './tones.ts';

/** One hop of a session's way. */
export interface HopRow {
  /** `API server`, `kubelet of NODE`, `streaming server of NODE`. */
  hop: string;
  /** It passes a whole connection on, and its numbers count frames and pings too. */
  isWhole: boolean;
  /** Of a port-forward, each port with its connections. */
  ports: string[];
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
  tone: Tone;
  /** Who waits for whom; empty while all flows. */
  wait: string;
  /** The pod's page. */
  href: string | undefined;
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
  const hops = path.hops.map((hop) => hopRow(path, hop, previousOf(hop, before)));
  const now = path.hops[0]?.time ?? '';
  const waiting = isOver ? undefined : waitOf(path);
  const long = waiting?.since === undefined ? '' : `, for ${secondsBetween(waiting.since, now)} s`;
  const words = command?.join(' ');
  const opened = path.openTime;
  return {
    ...{ id, user, hops, kind: kind === 'portforward' ? 'port-forward' : kind },
    target: [namespace, pod, container].filter(Boolean).join('/'),
    what:
      words !== undefined ? `${words}${commandIsCut ? '…' : ''}` : ports ? `ports ${ports.join(', ')}` : '',
    state: isOver ? endText(end) : opened ? `open for ${secondsBetween(opened, now)} s` : 'connecting',
    tone: isOver ? endTone(end) : opened && !waiting ? 'good' : 'waiting',
    wait: waiting ? `the ${waitText(path, waiting)}${long}` : '',
    href: pod && namespace ? podHref(namespace, pod) : undefined,
    unseen: unseenHops(path, unseen).map((one) => ({ hop: hopTitle(one), reason: one.reason })),
  };
}

/** The words of a session's tones. */
export const sessionWords: ReadonlyMap<Tone, string> = new Map([
  ['waiting', 'held-up'],
  ['good', 'flowing'],
  ['bad', 'failed'],
  ['over', 'ended'],
]);

/** Those that have all words of a filter. */
export function filteredSessions(rows: readonly SessionRow[], filter: string): SessionRow[] {
  const words = filter.toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const { id, kind, target, what, user, state, wait, hops, tone } = row;
    const ways = hops.flatMap(({ hop, from, to }) => [hop, from, to]);
    const text = [id, kind, target, what, user, state, wait, ...ways, toneFilter(tone, sessionWords)].join(
      ' ',
    );
    return words.every((word) => text.toLowerCase().includes(word));
  });
}

const endTone = (end: SessionEnd | undefined): Tone =>
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

function hopRow(path: SessionPath, hop: PathHop, previous: Previous | undefined): HopRow {
  const { session, time } = hop;
  const side = (end: SessionSide = {}) => [end.protocol, end.address].filter(Boolean).join(' ');
  const words = (way: 'up' | 'down') =>
    flowWords(flowsOf(hop, way), previous && flowsOf(previous, way), {
      elapsedMs: previous?.elapsedMs ?? 0,
      now: time,
      takerOf: (waitsFor) => takerTitle(path, { hop, waitsFor }),
    });
  const isWhole = session.streams.length > 0 && session.streams.every(({ name }) => name === 'connection');
  return {
    ...{ hop: hopTitle(hop), isWhole, ports: session.streams.flatMap(portText) },
    ...{ from: side(session.client), to: side(session.backend), up: words('up'), down: words('down') },
  };
}

type Taker = NonNullable<SessionFlow['waitsFor']>;

/** `port 8080: 1 of 3 connections open, 2 failed`. */
function portText({ name, port, connections }: SessionStream): string[] {
  if (name !== 'port' || !connections) return [];
  const { open, total, failed } = connections;
  const what = `${port === undefined ? 'other ports' : `port ${port}`}: ${open} of ${total} connections open`;
  return [`${what}${failed > 0 ? `, ${failed} failed` : ''}`];
}

function flowWords(
  flows: readonly SessionFlow[],
  before: readonly SessionFlow[] | undefined,
  { elapsedMs, now, takerOf }: { elapsedMs: number; now: string; takerOf: (waitsFor: Taker) => string },
): FlowWords {
  const sum = (all: readonly SessionFlow[]) => all.reduce((total, { bytes }) => total + bytes, 0);
  const bytes = sum(flows);
  const more = before && elapsedMs > 0 ? bytes - sum(before) : 0;
  // Streams of one connection share what it holds.
  const held = Math.max(0, ...flows.map(({ heldBytes = 0 }) => heldBytes));
  const waiting = flows.find(({ waitsFor }) => waitsFor !== undefined);
  const since = waiting?.waitingSince;
  const long = since ? ` ${secondsBetween(since, now)} s` : '';
  const words = [
    waiting?.waitsFor && `waits${long} for the ${takerOf(waiting.waitsFor)}`,
    held > 0 && `${sizeText(held)} held`,
  ];
  return {
    bytes: sizeText(bytes),
    rate: more > 0 ? `${sizeText((more * 1000) / elapsedMs)}/s` : '',
    wait: words.filter(Boolean).join('; '),
  };
}
