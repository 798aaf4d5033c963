import type { IncomingMessage } from 'node:http';
import type { RequestInfo } from '../http/request-info.ts';

/** Says whether a resource, or a sub-resource, is one that this server knows. */
export type IsKnownResource = (info: RequestInfo) => boolean;

/** What a request is about, in upstream's words. */
export type RequestLabels = {
  /** The method, but `LIST`, `WATCH`, `APPLY` and `CONNECT` where it is one of those. */
  verb: string;
  /** '', `All`, or `invalid`. */
  dry_run: string;
  group: string;
  version: string;
  resource: string;
  subresource: string;
  /** `resource` for one object, `namespace`, `cluster`; '' for what is no resource. */
  scope: string;
  component: string;
};

const elsewhere = { group: '', version: '', resource: '', scope: '', component: '' };
const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);
const connections: ReadonlySet<string> = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);
const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** As labels: nothing that its sender can make up. */
export function labelsOf(
  { method = 'GET', url = '', headers }: IncomingMessage,
  info: RequestInfo | undefined,
  isKnown: IsKnownResource,
): RequestLabels {
  const dry_run = dryRunOf(url);
  const verb = verbOf(method, info, headers['content-type']);
  if (!info?.isResource || !isKnown(info)) {
    const subresource = info && healthPaths.has(info.path) ? info.path : '';
    return { verb, dry_run, ...elsewhere, subresource };
  }
  const { group, version, resource, subresource } = info;
  const scope = scopeOf(method, info);
  return { verb, dry_run, group, version, resource, subresource, scope, component: 'apiserver' };
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
