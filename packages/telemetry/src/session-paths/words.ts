import type { SessionEnd, SessionFlow, SessionHop } from '../sessions/shape.ts';
import type { PathHop, SessionPath } from './join.ts';

const titles: Readonly<Record<SessionHop, string>> = {
  apiserver: 'API server',
  kubelet: 'kubelet',
  'streaming-server': 'streaming server',
};

/** `API server`, `kubelet of NODE`, `streaming server of NODE`. */
export function hopTitle({ hop, node }: { hop: SessionHop; node?: string | undefined }): string {
  return node === undefined ? titles[hop] : `${titles[hop]} of ${node}`;
}

/** All that goes one way through a hop; of what has ended, what it waited for last is no news. */
export function flowsOf(
  { session: { streams, state } }: Pick<PathHop, 'session'>,
  way: 'up' | 'down',
): SessionFlow[] {
  return streams
    .flatMap((stream) => stream[way] ?? [])
    .map((flow) => (state === 'ended' ? { bytes: flow.bytes } : flow));
}

/** Who waits for whom, and since when. */
export interface PathWait {
  hop: PathHop;
  waitsFor: NonNullable<SessionFlow['waitsFor']>;
  since: string | undefined;
}

/**
 * Where a session is held up: of all hops that wait the one farthest on the way, since the others wait for it. The way to the
 * client is looked at first. Undefined while all flows.
 */
export function waitOf({ hops }: SessionPath): PathWait | undefined {
  return firstWait(hops, 'down') ?? firstWait(hops.toReversed(), 'up');
}

/** Whom a hop waits for: its neighbour on the way, or `client`, `next hop`, `process`. */
export function takerTitle(
  { hops }: SessionPath,
  { hop, waitsFor }: Pick<PathWait, 'hop' | 'waitsFor'>,
): string {
  const place = hops.indexOf(hop);
  const next = waitsFor === 'client' ? hops[place - 1] : waitsFor === 'backend' ? hops[place + 1] : undefined;
  if (next) return hopTitle(next);
  return waitsFor === 'backend' ? 'next hop' : waitsFor;
}

/** `API server waits for the client`, `kubelet of NODE waits for the API server`. */
export const waitText = (path: SessionPath, wait: PathWait): string =>
  `${hopTitle(wait.hop)} waits for the ${takerTitle(path, wait)}`;

function firstWait(hops: readonly PathHop[], way: 'up' | 'down'): PathWait | undefined {
  for (const hop of hops) {
    const waiting = flowsOf(hop, way).find(({ waitsFor }) => waitsFor !== undefined);
    if (waiting?.waitsFor) return { hop, waitsFor: waiting.waitsFor, since: waiting.waitingSince };
  }
  return undefined;
}

/** Whole seconds from one time to another, none below 0. */
export function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}

/** How a session ended, in words. */
export function endText(end: SessionEnd | undefined): string {
  if (!end) return 'ended';
  if (end.exitCode !== undefined) return `ended with exit code ${end.exitCode}`;
  const by = end.by ? ` by the ${end.by}` : '';
  return [`${end.reason}${by}`, end.statusCode, end.message].filter(Boolean).join(': ');
}
