import { Agent } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

/** TLS towards a server: what Node's `tls.connect` takes, as far as an upgrade needs it. */
export interface TlsClientOptions
  extends Pick<
    SecureContextOptions,
    'ca' | 'allowPartialTrustChain' | 'cert' | 'key' | 'pfx' | 'passphrase'
  > {
  /** false accepts any serving certificate. Default true. */
  rejectUnauthorized?: boolean | undefined;
  /** The name asked for and checked in the certificate. Default: the URL's host. */
  servername?: string | undefined;
}

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
