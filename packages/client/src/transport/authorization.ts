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

/** After a 401: true when there is something else to show, so that the request makes sense once more. */
export async function replaceRefused(access: ClusterAccess, refused: Authorization): Promise<boolean> {
  return (
    refused.credentials !== undefined && (await access.credentials?.replace(refused.credentials)) === true
  );
}
