import type { SessionFlow, SessionSide, SessionStream } from '@wherry/telemetry';
import {
  endText,
  hopTitle,
  type PathHop,
  type SessionPath,
  secondsBetween,
  type UnseenHop,
  waitOf,
  waitText,
} from '@wherry/telemetry/session-paths';
import { formatBytes } from '../output/bytes.ts';
import { formatTable } from '../output/table.ts';
import { kindText, whatText } from './listing.ts';

const header = ['HOP', 'CLIENT', 'BACKEND', 'STREAM', 'IN', 'OUT', 'WAITS', 'STATE'];

/** All that is known of a session: who and what, each hop of its way, and which hops are not seen from here. */
export function describeSession(path: SessionPath, unseen: readonly UnseenHop[]): string {
  return [
    ...factsOf(path).map(([title, text]) => `${title.padEnd(12)}${text}`),
    '',
    formatTable(header, path.hops.flatMap(rowsOf)),
    ...unseen.flatMap((hop, index) => [
      ...(index === 0 ? [''] : []),
      `not seen: ${hopTitle(hop)}: ${hop.reason}`,
    ]),
  ].join('\n');
}

function factsOf(path: SessionPath): [title: string, text: string][] {
  const { id, kind, namespace, pod, container, node, user, startTime, openTime, end } = path;
  const now = path.hops[0]?.time ?? startTime;
  const optional = (title: string, text: string | undefined): [string, string][] =>
    text === undefined ? [] : [[title, text]];
  return [
    ['Session', id],
    ['Kind', kindText(kind)],
    ...optional('Pod', pod && [namespace, pod].filter(Boolean).join('/')),
    ...optional('Container', container),
    ...optional('Node', node),
    ...optional('User', user),
    ...(path.command || path.ports?.length
      ? ([[path.command ? 'Command' : 'Ports', whatText(path)]] as const)
      : []
    ).map(([title, text]): [string, string] => [title, text.replace(/^ports /, '')]),
    ['Started', `${startTime}, ${secondsBetween(startTime, now)} s ago`],
    ...optional('Open since', openTime),
    ...optional('Ended', end && `${end.time}, after ${secondsBetween(startTime, end.time)} s`),
    ['State', stateOf(path, now)],
  ];
}

function stateOf(path: SessionPath, now: string): string {
  if (path.state === 'ended') return endText(path.end);
  const wait = waitOf(path);
  if (!wait) return path.state;
  const long = wait.since === undefined ? '' : `, for ${secondsBetween(wait.since, now)} s`;
  return `${path.state}; the ${waitText(path, wait)}${long}`;
}

/** A row for each stream of a hop; the first names the hop. */
function rowsOf(hop: PathHop): string[][] {
  const { session } = hop;
  const state = session.state === 'ended' ? endText(session.end) : session.state;
  const lead = [hopTitle(hop), sideText(session.client), sideText(session.backend)];
  const streams = session.streams.map((stream) => streamCells(stream, hop));
  const rows = streams.length > 0 ? streams : [['-', '-', '-', '']];
  return rows.map((cells, index) => (index === 0 ? [...lead, ...cells, state] : ['', '', '', ...cells, '']));
}

const sideText = ({ protocol, address }: SessionSide = {}): string =>
  [protocol, address].filter(Boolean).join(' ') || '-';

function streamCells(stream: SessionStream, { time, session }: PathHop): string[] {
  const { up, down } = stream;
  const isOver = session.state === 'ended';
  const waits = isOver ? [] : [up, down].flatMap((flow) => waitWords(flow, time));
  return [streamText(stream), bytesText(up), bytesText(down), [...new Set(waits)].join('; ')];
}

function streamText({ name, port, connections }: SessionStream): string {
  const title = name === 'port' ? `port ${port ?? '(others)'}` : name;
  if (!connections) return title;
  const { open, total, failed } = connections;
  return `${title}: ${open} open of ${total}${failed > 0 ? `, ${failed} failed` : ''}`;
}

const bytesText = (flow: SessionFlow | undefined): string => (flow ? formatBytes(flow.bytes) : '-');

function waitWords(flow: SessionFlow | undefined, now: string): string[] {
  if (!flow) return [];
  const { waitsFor, waitingSince, heldBytes = 0 } = flow;
  const long = waitingSince === undefined ? '' : ` ${secondsBetween(waitingSince, now)} s`;
  return [
    ...(waitsFor ? [`for ${waitsFor}${long}`] : []),
    ...(heldBytes > 0 ? [`${formatBytes(heldBytes)} held`] : []),
  ];
}
