import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { TlsClientOptions } from './target.ts';

const agents = new WeakMap<TlsClientOptions, Agent>();

/**
 * What connections with the same TLS options share: the parsed credentials, and the last TLS session of each server, so
 * that all handshakes but the first are resumptions, without certificates and signatures (2 ms less on either side).
 * Connections themselves are not kept.
 */
export function sessionAgent(tls: TlsClientOptions): Agent {
  const known = agents.get(tls);
  if (known) return known;
  const set = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined));
  const agent = new Agent({ ...set, secureContext: createSecureContext(set) });
  agents.set(tls, agent);
  return agent;
}
