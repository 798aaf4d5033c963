import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../../http/request-info.ts';

/** What a resource, or a sub-resource, that this server knows is told apart by; undefined for one that it does not. */
export type KnownResource = (info: RequestInfo) => object | undefined;

/** How a request is made, in upstream's words. */
export interface RequestManner {
  /** The method, but `LIST`, `WATCH`, `APPLY` and `CONNECT` where it is one of those. */
  verb: string;
  /** '', `All`, or `invalid`. */
  dryRun: string;
  /** `resource` for one object, `namespace`, `cluster`; '' for what is no resource. */
  scope: string;
}

/** What a request is about, in upstream's words. */
export type RequestLabels = {
  verb: string;
  dry_run: string;
  group: string;
  version: string;
  resource: string;
  subresource: string;
  scope: string;
  component: string;
};

const elsewhere = { group: '', version: '', resource: '', component: '' };
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);
const connections: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);
const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const fieldValidations: ReadonlySet<string> = new Set(['Ignore', 'Warn', 'Strict']);

/** Nothing of it can its sender make up. */
export function mannerOf(
  { method = 'GET', url = '', headers }: IncomingMessage,
  info: RequestInfo | undefined,
  isKnown: boolean,
): RequestManner {
  const verb = verbOf(method, info, headers['content-type']);
  return { verb, dryRun: dryRunOf(url), scope: info && isKnown ? scopeOf(method, info) : '' };
}

/** As labels: nothing that its sender can make up. */
export function labelsOf(
  { verb, dryRun: dry_run, scope }: RequestManner,
  info: RequestInfo | undefined,
  isKnown: boolean,
): RequestLabels {
  if (!info || !isKnown) return { verb, dry_run, ...elsewhere, subresource: healthPathOf(info), scope };
  const { group, version, resource, subresource } = info;
  return { verb, dry_run, group, version, resource, subresource, scope, component: 'apiserver' };
}

/** Of a health check its path, and '' of all others. */
export const healthPathOf = (info: RequestInfo | undefined): string =>
  info && healthPaths.has(info.path) ? info.path : '';

/** How strictly unknown fields were to be taken: one of upstream's words, '' or `invalid`. */
export function fieldValidationOf({ url = '' }: IncomingMessage): string {
  if (!url.includes('fieldValidation')) return '';
  const told = new URLSearchParams(url.split(/\?(.*)/s)[1]).getAll('fieldValidation');
  const [word = ''] = told;
  return told.length === 1 && fieldValidations.has(word) ? word : 'invalid';
}

function verbOf(method: string, info: RequestInfo | undefined, mediaType: string | undefined): string {
  if (info?.isResource && connections.has(info.subresource)) return 'CONNECT';
  if (info?.verb === 'watch') return 'WATCH';
  if (method === 'GET' || method === 'HEAD') return info?.verb === 'list' ? 'LIST' : 'GET';
  if (method === 'PATCH' && mediaType === 'application/apply-patch+yaml') return 'APPLY';
  return writingMethods.has(method) ? method : 'other';
}

function scopeOf(method: string, { name, isInNamespace }: RequestInfo): string {
  if (name !== '' || method === 'POST') return 'resource';
  return isInNamespace ? 'namespace' : 'cluster';
}

function dryRunOf(url: string): string {
  if (!url.includes('dryRun')) return '';
  const told = new URLSearchParams(url.split(/\?(.*)/s)[1]).getAll('dryRun');
  if (told.length === 0) return '';
  return told.every((word) => word === 'All') ? 'All' : 'invalid';
}
