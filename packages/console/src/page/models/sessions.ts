import type {
  Session,
  SessionEnd,
  SessionFlow,
  SessionHop,
  SessionList,
  SessionSide,
} from '@wherry/telemetry';

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
}

const hopOrder: readonly SessionHop[] = ['apiserver', 'kubelet', 'streaming-server'];

/**
 * The sessions of all hops, joined by their ids: live ones first, the oldest first. `before`: the same hops a moment ago, of
 * which rates are counted. A pure function.
 */
export function sessionRows(hops: readonly SessionList[], before: readonly SessionList[]): SessionRow[] {
  const found = hops.flatMap((hop) =>
    hop.items.map((session) => ({ hop, session, previous: previousOf(hop, session, before) })),
  );
  const rows = [...Map.groupBy(found, ({ session }) => session.id).values()].map((parts) => {
    const ordered = parts.toSorted(
      (one, other) => hopOrder.indexOf(one.hop.hop) - hopOrder.indexOf(other.hop.hop),
    );
    return { parts: ordered, sessions: ordered.map(({ session }) => session) };
  });
  const startOf = ({ sessions }: { sessions: Session[] }) => sessions[0]?.startTime ?? '';
  const isOver = ({ sessions }: { sessions: Session[] }) => sessions.every(({ state }) => state === 'ended');
  return rows
    .sort(
      (one, other) => Number(isOver(one)) - Number(isOver(other)) || (startOf(one) < startOf(other) ? -1 : 1),
    )
    .map(({ parts, sessions }) => rowOf(parts, sessions));
}

interface Part {
  hop: SessionList;
  session: Session;
  previous: { session: Session; elapsedMs: number } | undefined;
}

function previousOf(hop: SessionList, { key }: Session, before: readonly SessionList[]): Part['previous'] {
  const then = before.find((one) => one.hop === hop.hop && one.node === hop.node);
  const session = then?.items.find((one) => one.key === key);
  return then && session && { session, elapsedMs: Date.parse(hop.time) - Date.parse(then.time) };
}

function rowOf(parts: readonly Part[], sessions: readonly Session[]): SessionRow {
  const known = <T>(of: (session: Session) => T | undefined): T | undefined =>
    sessions.map(of).find((value) => value !== undefined);
  const [namespace, pod, container] = [
    known((one) => one.namespace),
    known((one) => one.pod),
    known((one) => one.container),
  ];
  const command = known((one) => one.command)?.join(' ');
  const ports = known((one) => one.ports)?.join(', ');
  const cut = known((one) => one.commandIsCut) ? '…' : '';
  const ends = sessions.flatMap(({ end }) => end ?? []);
  const isOver = ends.length === sessions.length;
  // The hop that is nearest to the process knows best how it ended.
  const end = ends.find(({ exitCode }) => exitCode !== undefined) ?? ends.at(-1);
  const now = parts[0]?.hop.time ?? '';
  const opened = known((one) => one.openTime);
  const hops = parts.map(hopRow);
  const isWaiting = hops.some(({ up, down }) => up.wait !== '' || down.wait !== '');
  return {
    id: sessions[0]?.id ?? '',
    kind: sessions[0]?.kind ?? '',
    target: [namespace, pod, container].filter(Boolean).join('/'),
    what: command !== undefined ? `${command}${cut}` : ports ? `ports ${ports}` : '',
    user: known((one) => one.user) ?? '',
    state: isOver ? endText(end) : opened ? `open for ${secondsBetween(opened, now)} s` : 'connecting',
    tone: isOver ? endTone(end) : opened && !isWaiting ? 'good' : 'waiting',
    hops,
  };
}

function endText(end: SessionEnd | undefined): string {
  if (!end) return 'ended';
  if (end.exitCode !== undefined) return `ended with exit code ${end.exitCode}`;
  const by = end.by ? ` by the ${end.by}` : '';
  return [`${end.reason}${by}`, end.statusCode, end.message].filter(Boolean).join(': ');
}

const endTone = (end: SessionEnd | undefined) =>
  end?.reason === 'broken' || end?.reason === 'failed' || end?.reason === 'refused' ? 'bad' : 'over';

function hopRow({ hop, session, previous }: Part): HopRow {
  const where = hop.node ?? (hop.hop === 'apiserver' ? undefined : session.node);
  const titles: Record<string, string> = {
    apiserver: 'API server',
    kubelet: 'kubelet',
    'streaming-server': 'streaming server',
  };
  const title = Object.hasOwn(titles, hop.hop) ? titles[hop.hop] : hop.hop;
  const side = (end: SessionSide = {}) => [end.protocol, end.address].filter(Boolean).join(' ');
  const words = (way: 'up' | 'down') =>
    flowWords(flowsOf(session, way), previous && flowsOf(previous.session, way), {
      elapsedMs: previous?.elapsedMs ?? 0,
      now: hop.time,
    });
  return {
    hop: where ? `${title} of ${where}` : `${title}`,
    ...{ from: side(session.client), to: side(session.backend), up: words('up'), down: words('down') },
  };
}

/** Of what has ended, what it waited for last is no news. */
const flowsOf = ({ streams, state }: Session, way: 'up' | 'down'): SessionFlow[] =>
  streams
    .flatMap((stream) => stream[way] ?? [])
    .map((flow) => (state === 'ended' ? { bytes: flow.bytes } : flow));

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

const secondsBetween = (from: string, to: string): number =>
  Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));

/** Bytes for people: `512 B`, `12.3 KiB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${power === 0 ? Math.round(bytes) : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`;
}
