import { kinds, type Query, resourcePath } from '@wherry/client';
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
/** The version, what is served, and the API server's own sessions. */
const fixedPaths = ['/version', '/api', '/apis', sessionsPath];

/** A name as Kubernetes gives them to most objects; no letter in it means anything in a path. */
const namePattern = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
/** Roles and some others have names such as `system:node`. */
const anyNamePattern = /^\w(?:[-\w.:]{0,251}\w)?$/;
const versionPattern = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/;

/** In place of a resource these lead to all resources, secrets too, or to what is no object of the API. */
const roundabouts = ['watch', 'proxy', 'redirect'];

/**
 * What the page may ask of the API server; `path` is as it stands in the request line, without its query. What there is, lists,
 * watches and objects of every kind but secrets, a pod's log, a command in it, and sessions; all else is refused by name. Throws
 * `StatusError`.
 */
export function apiRoute(path: string, query: URLSearchParams): ReadRoute | TerminalRoute {
  const route = fixedRoute(path, query) ?? podRoute(path, query) ?? resourceRoute(path, query);
  if (!route) throw refusal(403, `${JSON.stringify(path)} is none of the paths that the console passes on`);
  return route;
}

function fixedRoute(path: string, query: URLSearchParams): ReadRoute | undefined {
  const [, node] = /^\/api\/v1\/nodes\/([^/]+)\/proxy\/debug\/sessions$/.exec(path) ?? [];
  if (node === undefined && !fixedPaths.includes(path)) return undefined;
  parametersOf(query, []);
  if (node === undefined) return { kind: 'read', path };
  const subresource = `proxy${sessionsPath}`;
  return { kind: 'read', path: resourcePath(kinds.nodes, { name: checkedName(node), subresource }) };
}

function podRoute(whole: string, query: URLSearchParams): ReadRoute | TerminalRoute | undefined {
  const [, namespace = '', name = '', subresource] =
    /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/(log|exec)$/.exec(whole) ?? [];
  if (name === '') return undefined;
  const pod = { namespace: checkedName(namespace), name: checkedName(name) };
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

/** A list or an object: `/api/v1/pods`, `/apis/apps/v1/namespaces/NAMESPACE/deployments/NAME`; or what a group has, `/apis/apps/v1`. */
function resourceRoute(path: string, query: URLSearchParams): ReadRoute | undefined {
  const [, group = '', version = '', rest = ''] =
    /^(?:\/api|\/apis\/([^/]+))\/([^/]+)((?:\/[^/]+)*)$/.exec(path) ?? [];
  if (!versionPattern.test(version) || (group !== '' && !namePattern.test(group))) return undefined;
  const { namespace, plural, name } = placeOf(rest.split('/').slice(1)) ?? {};
  if (plural === undefined) {
    parametersOf(query, []);
    return rest === '' ? { kind: 'read', path } : undefined;
  }
  if (!namePattern.test(plural) || roundabouts.includes(plural)) return undefined;
  if (group === kinds.secrets.group && plural === kinds.secrets.plural) return undefined;
  // What is asked about here is not there in one namespace and in all; the kind is the server's to know.
  const type = { group, version, plural, namespaced: namespace !== undefined, kind: '' };
  const asked = parametersOf(query, name === undefined ? listParameters : []);
  const where = namespace === undefined ? {} : { namespace: checkedName(namespace) };
  if (name !== undefined && !anyNamePattern.test(name)) throw noName(name);
  return { kind: 'read', path: resourcePath(type, { ...where, name, query: asked }) };
}

/** What stands behind a version. `namespaces/NAME` is an object, and so is each with a third word. */
function placeOf(
  words: readonly string[],
): { namespace?: string; plural: string; name?: string } | undefined {
  const [first, second, third, fourth, ...more] = words;
  if (first === undefined || more.length > 0) return undefined;
  if (third === undefined) return { plural: first, ...(second === undefined ? {} : { name: second }) };
  if (first !== kinds.namespaces.plural || second === undefined) return undefined;
  return { namespace: second, plural: third, ...(fourth === undefined ? {} : { name: fourth }) };
}

function checkedName(text: string): string {
  if (!namePattern.test(text)) throw noName(text);
  return text;
}

const noName = (text: string) => refusal(400, `${JSON.stringify(text)} is no name of an object`);

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
