import { kinds, type Query, type ResourceType, resourcePath } from '@wherry/client';
import type { RemoteCommandStreams } from '@wherry/remotecommand';
import { refusal } from '../answers/refusal.ts';
import { limits } from '../limits.ts';

/** What is only read: a list, a watch, an object, a log. */
export interface ReadRoute {
  kind: 'read';
  /** What the API server is asked; made anew from the parts that were understood. */
  path: string;
}

/** Where an exec goes, for who opens it. */
export interface TerminalRoute {
  kind: 'terminal';
  path: string;
  /** Those that the path asks for. */
  streams: RemoteCommandStreams;
}

const listParameters = [
  ...['allowWatchBookmarks', 'continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion'],
  ...['resourceVersionMatch', 'sendInitialEvents', 'timeoutSeconds', 'watch'],
] as const;
const logParameters = [
  ...[
    'container',
    'follow',
    'limitBytes',
    'previous',
    'sinceSeconds',
    'sinceTime',
    'tailLines',
    'timestamps',
  ],
] as const;
const execParameters = ['command', 'container', 'stderr', 'stdin', 'stdout', 'tty'] as const;

/** Where the hops of wherry tell of the sessions that go through them. */
const sessionsPath = '/debug/sessions';

/** The kinds that the page lists. */
const listed: readonly ResourceType[] = [
  ...[kinds.namespaces, kinds.nodes, kinds.pods, kinds.services, kinds.events, kinds.deployments],
];

/** A name as Kubernetes gives them to objects; no letter in it means anything in a path. */
const namePattern = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/**
 * What the page may ask of the API server; `path` is as it stands in the request line, without its query. Lists and watches of
 * some kinds, a pod, its log, a command in it, and sessions; all else is refused by name. Throws `StatusError`.
 */
export function apiRoute(path: string, query: URLSearchParams): ReadRoute | TerminalRoute {
  const route = fixedRoute(path, query) ?? podRoute(path, query) ?? listRoute(path, query);
  if (!route) throw refusal(403, `${JSON.stringify(path)} is none of the paths that the console passes on`);
  return route;
}

function fixedRoute(path: string, query: URLSearchParams): ReadRoute | undefined {
  const [, node] = /^\/api\/v1\/nodes\/([^/]+)\/proxy\/debug\/sessions$/.exec(path) ?? [];
  if (node === undefined && path !== '/version' && path !== sessionsPath) return undefined;
  parametersOf(query, []);
  if (node === undefined) return { kind: 'read', path };
  const subresource = `proxy${sessionsPath}`;
  return { kind: 'read', path: resourcePath(kinds.nodes, { name: checkedName(node), subresource }) };
}

function podRoute(whole: string, query: URLSearchParams): ReadRoute | TerminalRoute | undefined {
  const [, namespace = '', name = '', subresource] =
    /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)(?:\/(log|exec))?$/.exec(whole) ?? [];
  if (name === '') return undefined;
  const pod = { namespace: checkedName(namespace), name: checkedName(name) };
  if (subresource === undefined)
    return { kind: 'read', path: resourcePath(kinds.pods, { ...pod, query: parametersOf(query, []) }) };
  if (subresource === 'log') {
    const asked = parametersOf(query, logParameters);
    return { kind: 'read', path: resourcePath(kinds.pods, { ...pod, subresource, query: asked }) };
  }
  const asked = parametersOf(query, execParameters);
  const wants = (stream: string) => Object.hasOwn(asked, stream) && asked[stream] === 'true';
  const tty = wants('tty');
  const output = { stdout: wants('stdout'), stderr: wants('stderr') && !tty };
  const streams = { stdin: wants('stdin'), ...output, tty };
  const words = { command: asked['command'], container: asked['container'] };
  const path = resourcePath(kinds.pods, { ...pod, subresource, query: { ...words, ...streams } });
  return { kind: 'terminal', streams, path };
}

function listRoute(path: string, query: URLSearchParams): ReadRoute | undefined {
  for (const type of listed) {
    const [, namespace] = listPattern(type).exec(path) ?? [undefined, null];
    if (namespace === null) continue;
    const asked = parametersOf(query, listParameters);
    const parts = { namespace: namespace && checkedName(namespace), query: asked };
    return { kind: 'read', path: resourcePath(type, parts) };
  }
  return undefined;
}

/** `/api/v1/pods`, `/apis/apps/v1/namespaces/NAMESPACE/deployments`. */
function listPattern(type: ResourceType): RegExp {
  const inside = type.namespaced ? '(?:/namespaces/([^/]+))?' : '()';
  const whole = resourcePath(type, {});
  const at = whole.lastIndexOf('/');
  return new RegExp(`^${RegExp.escape(whole.slice(0, at))}${inside}${RegExp.escape(whole.slice(at))}$`);
}

function checkedName(text: string): string {
  if (!namePattern.test(text)) throw refusal(400, `${JSON.stringify(text)} is no name of an object`);
  return text;
}

/** The parameters, each known and once; a command has several words. */
function parametersOf(query: URLSearchParams, known: readonly string[]): Query {
  const found = new Map<string, string | string[]>();
  for (const name of new Set(query.keys())) {
    if (!known.includes(name)) throw refusal(400, `parameter ${JSON.stringify(name)} is not passed on here`);
    const values = query.getAll(name);
    const most = name === 'command' ? limits.commandWordsMax : 1;
    if (values.length > most) throw refusal(400, `parameter "${name}" stands there ${values.length} times`);
    if (values.some(({ length }) => length > limits.parameterCharactersMax))
      throw refusal(400, `parameter "${name}" has more than ${limits.parameterCharactersMax} characters`);
    found.set(name, name === 'command' ? values : (values[0] ?? ''));
  }
  return Object.fromEntries(found);
}
