import { type Clock, systemClock } from '@wherry/clock';
import { ClientError } from '../errors.ts';
import { FetchDoor } from '../http/fetch-door.ts';
import { WebSessionDoor } from '../sessions/web-session-door.ts';
import { ApiClient } from './api-client.ts';

/** Where the API server is, and who asks. */
export interface CreateApiClientOptions {
  /** http or https; a path in it goes in front of every API path. */
  server: string | URL;
  /** Bearer token, asked for at each request. Default: none, as where a proxy or cookies say who asks. */
  token?: string | (() => Promise<string>) | undefined;
  /** Default `default`. */
  namespace?: string | undefined;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
  /** See `KubeClientOptions`. */
  connectRetryMs?: number | undefined;
  requestTimeoutMs?: number | undefined;
}

/**
 * A client over `fetch` and `WebSocket`: in a browser, a worker, or Node without its modules. Throws `ClientError`
 * `bad-argument` for a server that is none.
 */
export function createApiClient(options: CreateApiClientOptions): ApiClient {
  const { token, namespace, fetch, clock = systemClock, connectRetryMs, requestTimeoutMs } = options;
  const server = URL.parse(String(options.server));
  if (!server || !/^https?:$/.test(server.protocol))
    throw new ClientError('bad-argument', `server "${options.server}" is no http or https URL`);
  const current = async () => (typeof token === 'function' ? token() : token);
  const headers = async (): Promise<Record<string, string>> => {
    const bearer = await current();
    return bearer ? { authorization: `Bearer ${bearer}` } : {};
  };
  return new ApiClient({
    door: new FetchDoor({ server, headers, fetch }),
    sessions: new WebSessionDoor({ server, token: current, clock }),
    ...{ namespace, clock, connectRetryMs, requestTimeoutMs },
  });
}
