import { STATUS_CODES } from 'node:http';
import type { KubeClientOptions } from '@wherry/client';

/** From this level of `-v` on kubectl prints requests. */
const requestsFrom = 6;

/** What prints each request with its status and time, as kubectl's log has them; undefined below level 6. */
export function requestPrinter(level: number): KubeClientOptions['onSend'] {
  if (level < requestsFrom) return undefined;
  return ({ method, path }) => ({
    headers: {},
    ended: ({ serverName, status, tookMs }) => {
      const url = `${serverName}${path}`;
      const told = status === undefined ? '' : `${status} ${STATUS_CODES[status] ?? ''}`.trim();
      console.error(
        `"Response" verb="${method}" url="${url}" status="${told}" milliseconds=${Math.round(tookMs)}`,
      );
    },
  });
}
