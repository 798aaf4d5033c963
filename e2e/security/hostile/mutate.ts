import { stringify } from 'yaml';
import { secretText, victimNamespace } from './roles.ts';
import type { Template } from './templates.ts';

/** A whole number from 0 on and below its argument. */
export type Random = (below: number) => number;

/** A request as it goes out; header values and paths are what HTTP allows on a line. */
export interface HostileRequest {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

const inherited = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'];
const segments = [
  ...inherited,
  ...[
    '..',
    '.',
    '',
    '%2e%2e',
    '%2f',
    '%00',
    '%ff',
    '*',
    '-',
    'a'.repeat(300),
    'namespaces',
    'kube-system',
    victimNamespace,
  ],
  ...['status', 'scale', 'proxy', 'token', 'exec', 'nodes', 'secrets', 'pods', 'x:y@127.0.0.1', '日本'],
];
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'CONNECTX', 'PROPFIND'];
const queries: [string, string[]][] = [
  ['dryRun', ['All', 'None', '', 'x']],
  ['fieldManager', ['x', '', 'y'.repeat(200), '\u0007']],
  ['fieldValidation', ['Strict', 'Warn', 'Ignore', 'x']],
  ['limit', ['0', '1', '-1', '9999999999999', 'x']],
  ['continue', ['x', 'e30', 'eyJ2IjoxfQ', '__proto__']],
  ['resourceVersion', ['0', '1', '-1', 'x', '99999999999999999999']],
  ['resourceVersionMatch', ['Exact', 'NotOlderThan', 'x']],
  ['labelSelector', ['a=b', '!a', 'a in (', '=', 'a'.repeat(2000), 'constructor=x']],
  [
    'fieldSelector',
    ['metadata.name=x', '__proto__=x', 'spec.nodeName=', 'x', 'metadata.namespace=kube-system'],
  ],
  ['propagationPolicy', ['Orphan', 'Foreground', 'x']],
  ['gracePeriodSeconds', ['0', '-1', 'x']],
  ['sendInitialEvents', ['true', 'x']],
  ['pretty', ['1', 'x']],
  ['force', ['true', 'x']],
  ['container', ['x', '../x']],
  ['path', ['/x', '//x', '@127.0.0.1']],
];
const mediaTypes = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=constructor',
  'application/apply-patch+yaml',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  '*/*',
  ';;;',
  ...inherited,
];
const headerNames = [
  'accept',
  'content-type',
  'content-encoding',
  'accept-encoding',
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
  'impersonate-extra-x',
  'x-remote-user',
  'x-remote-group',
  'x-forwarded-for',
  'upgrade',
  'sec-websocket-protocol',
  'host',
  'expect',
  'if-none-match',
  'authorization-x',
];
const headerValues = [
  ...mediaTypes,
  ...[
    'system:masters',
    'system:admin',
    'kube-apiserver',
    'websocket',
    'SPDY/3.1',
    'gzip',
    '127.0.0.1',
    'x'.repeat(3000),
  ],
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;

/** Damages a template: usually a little, so that the request comes far, sometimes much. */
export function mutate(random: Random, template: Template): HostileRequest {
  let { method, path } = template;
  const query = new URLSearchParams(template.query);
  const headers: Record<string, string> = { accept: 'application/json', ...template.headers };
  let body = structuredClone(template.body);
  for (let left = random(4); left > 0; left -= 1) {
    const kind = random(6);
    if (kind === 0) method = pick(random, methods);
    else if (kind === 1) path = mutatePath(random, path);
    else if (kind === 2) {
      const [name, values] = pick(random, queries);
      query.append(name, pick(random, values));
    } else if (kind === 3) headers[pick(random, headerNames)] = pick(random, headerValues);
    else if (body !== undefined) body = mutateJson(random, body);
  }
  const text = encodeBody(random, body, headers);
  const search = query.size === 0 ? '' : `?${query}`;
  // Node's client writes methods in capitals, whatever it is given.
  return { method: method.toUpperCase(), target: `${path}${search}`, headers, body: text };
}

function mutatePath(random: Random, path: string): string {
  const parts = path.split('/');
  const at = 1 + random(parts.length - 1);
  const segment = pick(random, segments);
  const encoded = /%|^[\w.*@:-]*$/.test(segment) ? segment : encodeURIComponent(segment);
  const kind = random(4);
  if (kind === 0) parts.splice(at, 1);
  else if (kind === 1) parts.splice(at, 0, encoded);
  else if (kind === 2) parts[at] = encoded;
  else parts.push(encoded);
  return `/${parts.slice(1).join('/')}`;
}

const strangeValues: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(5000),
  secretText.slice(0, 5),
  [],
  {},
  [[[[[[]]]]]],
  'kube-system',
  'system:masters',
];

function mutateJson(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random(8) === 0) return pick(random, strangeValues);
  if (Array.isArray(value)) {
    if (value.length === 0 || random(4) === 0) return [...value, pick(random, strangeValues)];
    return value.with(random(value.length), mutateJson(random, value[0]));
  }
  const entries = Object.entries(value);
  const kind = random(5);
  if (kind === 0 || entries.length === 0)
    entries.push([pick(random, inherited), pick(random, strangeValues)]);
  else if (kind === 1) entries.splice(random(entries.length), 1);
  else {
    const at = random(entries.length);
    const [name, inner] = entries[at] as [string, unknown];
    entries[at] = [name, mutateJson(random, inner)];
  }
  return Object.fromEntries(entries);
}

/** JSON mostly; YAML, bytes that claim to be protobuf, cut text and noise as well. */
function encodeBody(random: Random, body: unknown, headers: Record<string, string>): Buffer | undefined {
  if (body === undefined) return undefined;
  headers['content-type'] ??= 'application/json';
  const kind = random(12);
  if (kind === 0) {
    headers['content-type'] = 'application/yaml';
    return Buffer.from(stringify(body));
  }
  if (kind === 1) {
    headers['content-type'] = 'application/vnd.kubernetes.protobuf';
    const noise = Buffer.from(Array.from({ length: random(200) }, () => random(256)));
    return Buffer.concat([Buffer.from('k8s\0'), noise]);
  }
  const text = Buffer.from(JSON.stringify(body) ?? '');
  if (kind === 2) return text.subarray(0, random(text.length + 1));
  if (kind === 3) return Buffer.concat([text, Buffer.from(JSON.stringify(body) ?? '')]);
  return text;
}
