import {
  endText,
  flowsOf,
  type PathHop,
  type SessionPath,
  waitOf,
  waitText,
} from '@wherry/telemetry/session-paths';
import { formatAge } from '../output/age.ts';
import { formatBytes } from '../output/bytes.ts';
import type { Tone } from '../output/colours.ts';
import type { Column } from '../output/listing.ts';

const shownIdCharacters = 8;

/** How sessions are to be listed. */
export interface ListingStyle {
  withNamespace: boolean;
  /** All of them: ids are cut as short as they still differ. */
  paths: readonly SessionPath[];
}

/** The columns of a list of sessions. */
export function sessionColumns({ withNamespace, paths }: ListingStyle): Column<SessionPath>[] {
  const idCharacters = idCharactersOf(paths);
  return [
    ...(withNamespace ? [{ title: 'NAMESPACE', cell: ({ namespace = '' }: SessionPath) => namespace }] : []),
    { title: 'ID', cell: ({ id }) => id.slice(0, idCharacters) },
    { title: 'KIND', cell: ({ kind }) => kindText(kind) },
    { title: 'POD', cell: ({ pod, container }) => [pod, container].filter(Boolean).join('/') || '-' },
    { title: 'USER', cell: ({ user = '-' }) => user },
    { title: 'CLIENT', cell: clientText },
    { title: 'BACKEND', cell: backendText },
    { title: 'IN', cell: (path) => sumText(path, 'up') },
    { title: 'OUT', cell: (path) => sumText(path, 'down') },
    { title: 'AGE', cell: ageText },
    { title: 'STATE', cell: stateText, tone: stateTone },
    { title: 'NODE', wide: true, cell: ({ node = '-' }) => node },
    { title: 'HOPS', wide: true, cell: ({ hops }) => String(hops.length) },
    { title: 'WHAT', wide: true, cell: whatText },
  ];
}

/** `port-forward` is the word of the command that makes one. */
export const kindText = (kind: SessionPath['kind']): string =>
  kind === 'portforward' ? 'port-forward' : kind;

/** What the session is about: the command as a shell would take it, or the ports. */
export function whatText({ command, commandIsCut, ports }: SessionPath): string {
  if (command) return [...command.map(shellWord), ...(commandIsCut ? ['…'] : [])].join(' ');
  return ports?.length ? `ports ${ports.join(', ')}` : '-';
}

const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

function idCharactersOf(paths: readonly SessionPath[]): number {
  const longest = Math.max(shownIdCharacters, ...paths.map(({ id }) => id.length));
  for (let characters = shownIdCharacters; characters < longest; characters += 1) {
    if (new Set(paths.map(({ id }) => id.slice(0, characters))).size === paths.length) return characters;
  }
  return longest;
}

/** `WebSocket v5`: what is the same of every name is left out. */
const protocolText = (protocol: string | undefined): string =>
  protocol?.replace(/\.(?:channel|portforward)\.k8s\.io\b/g, '') || '-';

/** What the client speaks to the first hop. */
const clientText = ({ hops }: SessionPath): string => protocolText(hops[0]?.session.client.protocol);

/** What is spoken at the end of the way, as far as that is known. */
function backendText({ hops }: SessionPath): string {
  const last = hops.at(-1)?.session;
  return protocolText(last?.backend?.protocol ?? (hops.length > 1 ? last?.client.protocol : undefined));
}

/** As the hop counts that is nearest to the process: it looks into the streams. */
function sumText({ hops }: SessionPath, way: 'up' | 'down'): string {
  const isInside = ({ session }: PathHop) => session.streams.some(({ name }) => name !== 'connection');
  // A hop that passes a whole connection on counts its frames, too.
  const knowing = hops.filter(isInside);
  const flows = (knowing.length > 0 ? knowing : hops)
    .map((hop) => flowsOf(hop, way))
    .findLast((found) => found.length > 0);
  return flows ? formatBytes(flows.reduce((sum, { bytes }) => sum + bytes, 0)) : '-';
}

/** By the hop's own clock. */
function ageText({ startTime, hops }: SessionPath): string {
  const now = hops[0]?.time ?? startTime;
  return formatAge(Date.parse(now) - Date.parse(startTime));
}

/** `open`, `API server waits for the client`, `ended with exit code 0`. */
export function stateText(path: SessionPath): string {
  if (path.state === 'ended') return endText(path.end);
  const wait = waitOf(path);
  return wait ? waitText(path, wait) : path.state;
}

function stateTone(state: string): Tone | undefined {
  if (/ waits for /.test(state) || state === 'connecting') return 'warning';
  if (state === 'open') return 'good';
  return /^(?:broken|failed|refused)\b/.test(state) ? 'bad' : 'quiet';
}
