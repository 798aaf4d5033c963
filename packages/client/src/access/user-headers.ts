import { setOwn } from '@wherry/kubeapi/objects';
import type { KubeconfigUser } from '../config/kubeconfig.ts';
import type { HeaderFields } from '../transport/cluster-access.ts';

/** What a user entry says in headers by itself: a token or a password, and whom to act as. */
export function userHeaders(user: KubeconfigUser): HeaderFields {
  return { ...authorization(user), ...impersonation(user) };
}

/** The headers that ask the server to act as somebody else; groups and extra values are a line each. */
export function impersonation(user: KubeconfigUser): HeaderFields {
  const headers: HeaderFields = {};
  if (!user.as) return headers;
  headers['impersonate-user'] = user.as;
  if (user['as-uid']) headers['impersonate-uid'] = user['as-uid'];
  if (user['as-groups']?.length) headers['impersonate-group'] = user['as-groups'];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {})) {
    setOwn(headers, `impersonate-extra-${escapeKey(key)}`, values);
  }
  return headers;
}

function authorization({ token, username, password }: KubeconfigUser): HeaderFields {
  if (token) return { authorization: `Bearer ${token}` };
  if (!username && !password) return {};
  const pair = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  return { authorization: `Basic ${pair}` };
}

/** Bytes that a header's name can't hold are percent-encoded, and `%` itself (client-go, transport/round_trippers.go). */
function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      const isPlain = /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character);
      return isPlain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}
