import { orAborted } from '@wherry/bytes';
import type { ClusterAccess, HeaderFields } from './cluster-access.ts';
import type { ClientCertificate, Credentials } from './credentials.ts';

/** What a request shows the server. */
export interface Authorization {
  headers: HeaderFields;
  certificate?: ClientCertificate | undefined;
  /** What the access's source gave; undefined when the kubeconfig said it all. */
  credentials?: Credentials | undefined;
}

/** Finds out what to show now. Rejects with `ClientError` `no-credentials`, or `signal.reason`. */
export async function authorize(access: ClusterAccess, signal?: AbortSignal): Promise<Authorization> {
  const headers = access.headers();
  if (!access.credentials) return { headers };
  signal?.throwIfAborted();
  const credentials = await orAborted(access.credentials.current(), signal);
  const { token, certificate } = credentials;
  const bearer: HeaderFields = token ? { authorization: `Bearer ${token}` } : {};
  return { headers: { ...headers, ...bearer }, certificate, credentials };
}

/** After a 401: true when there is something else to show, so that the request makes sense once more. Rejects as {@link authorize}. */
export async function replaceRefused(
  { credentials: source }: ClusterAccess,
  { credentials: refused }: Authorization,
  signal?: AbortSignal,
): Promise<boolean> {
  return refused !== undefined && source !== undefined && orAborted(source.replace(refused), signal);
}
