import type { OutgoingHttpHeaders } from 'node:http';
import { ownValue } from '@wherry/kubeapi/objects';
import type { HeaderFields } from './cluster-access.ts';

/** The request headers by which somebody says who he is, or as whom he acts. */
const credentialName = /^(?:authorization|impersonate-.+)$/i;

/** A bearer token that a browser hides among WebSocket sub-protocols. */
const bearerProtocol = /^base64url\.bearer\.authorization\.k8s\.io\.([\w-]+)$/;

/** Those of a request's header lines (Node's `rawHeaders`) that say who sends it; names in lower case. */
export function broughtCredentials(rawHeaders: readonly string[]): HeaderFields {
  const brought = new Map<string, string[]>();
  const add = (name: string, value: string) => brought.set(name, [...(brought.get(name) ?? []), value]);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    if (credentialName.test(name)) add(name, value);
    if (name !== 'sec-websocket-protocol') continue;
    for (const protocol of value.split(',')) {
      const [, token] = bearerProtocol.exec(protocol.trim()) ?? [];
      if (token !== undefined)
        add('authorization', `Bearer ${Buffer.from(token, 'base64url').toString('utf8')}`);
    }
  }
  return Object.fromEntries(brought);
}

/** Headers without those that say who asks, be it to the API server or to who passes on alone. */
export function withoutCredentials(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const isTold = (name: string) => credentialName.test(name) || /^(?:cookie$|x-remote-)/i.test(name);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isTold(name)));
}

/**
 * What a client says of itself beside what a request brings: credentials of the request's own go before the client's, and who
 * acts as somebody is not also whom the client acts as (client-go's round trippers).
 */
export function besideBrought(own: HeaderFields, brought: Readonly<Record<string, unknown>>): HeaderFields {
  const isReplaced = (name: string) =>
    name === 'authorization'
      ? ownValue(brought, 'authorization') !== undefined
      : name.startsWith('impersonate-') && ownValue(brought, 'impersonate-user') !== undefined;
  return Object.fromEntries(Object.entries(own).filter(([name]) => !isReplaced(name.toLowerCase())));
}
