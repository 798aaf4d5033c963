import type { RequestInfo } from '../http/request-info.ts';

/** Sub-resources whose requests last as long as they are used. */
export const longRunningSubresources: ReadonlySet<string> = new Set([
  'log',
  'proxy',
  'exec',
  'attach',
  'portforward',
]);

/** True for requests that last as long as their client wants. */
export function isLongRunning({ isResource, verb, subresource }: RequestInfo): boolean {
  return isResource && (verb === 'watch' || longRunningSubresources.has(subresource));
}
