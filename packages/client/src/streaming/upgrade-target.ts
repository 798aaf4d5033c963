import { fromStatus, isJsonObject, type Status } from '@wherry/kubeapi';
import { UpgradeError, type UpgradeTarget } from '@wherry/upgrade';
import { ClientError } from '../errors.ts';
import type { KubeClient } from '../kube-client.ts';

/** Which transport a session takes: `auto` is WebSocket, then SPDY when the upgrade is refused. */
export type StreamTransport = 'auto' | 'websocket' | 'spdy';

/** The target of an upgrade request for an API path, with this client's credentials and TLS. */
export function upgradeTarget(client: KubeClient, path: string, signal?: AbortSignal): UpgradeTarget {
  const { server, tls, headers } = client.access;
  const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
  return { url, headers: headers(), tls, signal };
}

/**
 * What a failed upgrade means to the caller: the server's `Status` as `StatusError`, no connection as `ClientError`,
 * anything else as it is.
 */
export function translateUpgradeError(error: unknown, server: URL): unknown {
  if (!(error instanceof UpgradeError)) return error;
  const status = parseStatus(error.body);
  if (status) return fromStatus({ ...status, code: status.code ?? error.statusCode });
  if (error.code !== 'unreachable') return error;
  return new ClientError('unreachable', `Unable to connect to the server ${server.host}: ${error.message}`, {
    cause: error.cause ?? error,
  });
}

function parseStatus(body: string): Status | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && value['kind'] === 'Status' ? (value as unknown as Status) : undefined;
  } catch {
    return undefined;
  }
}
