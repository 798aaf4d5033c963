import type { RequestInfo } from '../http/request-info.ts';

/** Sub-resources whose requests last as long as they are used. */
export const longRunningSubresources: ReadonlySet<string> = new Set([
  'log',
  'proxy',
  'exec',
  'attach',
  'portforward',
]);

/** Where the sessions of this server are listed, and watched. */
export const sessionsPath = '/debug/sessions';

/** True for requests that last as long as their client wants. */
export function isLongRunning({ isResource, path, verb, subresource }: RequestInfo): boolean {
  if (!isResource) return path === sessionsPath;
  return verb === 'watch' || longRunningSubresources.has(subresource);
}
