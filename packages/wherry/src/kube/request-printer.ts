import type { KubeClientOptions } from '@wherry/client';

/** From this level of `-v` on kubectl prints requests. */
const requestsFrom = 6;

/** What prints each request with its status and time; undefined below level 6. */
export function requestPrinter(level: number): KubeClientOptions['onSend'] {
  if (level < requestsFrom) return undefined;
  return ({ method, path }) => ({
    headers: {},
    ended: ({ serverName, status, tookMs }) =>
      console.error(`${method} ${serverName}${path} ${status ?? 'no answer'} in ${Math.round(tookMs)} ms`),
  });
}
