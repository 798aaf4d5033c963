import type { Clock } from '@wherry/clock';
import { fromStatus } from '@wherry/kubeapi/objects';
import { UpgradeError, type UpgradeTarget } from '@wherry/upgrade';
import { ClientError } from '../errors.ts';
import { parseStatus } from '../http/answer.ts';
import type { Authorization } from './authorization.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { dialThroughProxy, isLedElsewhere, tlsOptionsOf } from './dial.ts';

/** What {@link upgradeTarget} needs besides the access. */
export interface UpgradeTargetOptions {
  /** API path with its query. */
  path: string;
  authorization: Authorization;
  userAgent: string;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

/** The target of an upgrade request for an API path, with this client's credentials, TLS and proxy. */
export function upgradeTarget(access: ClusterAccess, options: UpgradeTargetOptions): UpgradeTarget {
  const { path, authorization, userAgent, clock, signal } = options;
  const { server } = access;
  const { certificate } = authorization;
  return {
    url: new URL(server.pathname.replace(/\/$/, '') + path, server),
    headers: { 'user-agent': userAgent, ...authorization.headers },
    tls: tlsOptionsOf(access, certificate),
    signal,
    ...(isLedElsewhere(access)
      ? { connect: () => dialThroughProxy(access, { certificate, clock, signal }) }
      : {}),
  };
}

/** True when the server did not take the credentials. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof UpgradeError && error.statusCode === 401;
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
