import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { ClusterAccess } from './cluster-access.ts';
import type { ClientCertificate } from './credentials.ts';
import { dialThroughProxy, isLedElsewhere, tlsOptionsOf } from './dial.ts';

type Created = (error: Error | null, socket: Duplex) => void;

/** Keeps connections to one server, straight or through its proxy; `spares` are used before others are made. The TLS options go in here once. */
export function createAgent(
  access: ClusterAccess,
  clock: Clock,
  spares: TLSSocket[] = [],
): HttpAgent | HttpsAgent {
  const options: AgentOptions = {
    keepAlive: true,
    maxFreeSockets: limits.idleSocketsMax,
    scheduling: 'lifo',
  };
  const isSecure = access.server.protocol === 'https:';
  const agent = isSecure ? new HttpsAgent({ ...options, ...tlsOptionsOf(access) }) : new HttpAgent(options);
  if (isLedElsewhere(access)) proxied(agent, access, clock);
  else if (isSecure) sparing(agent as HttpsAgent, access, spares);
  return agent;
}

/**
 * Takes connections that stand already before it makes new ones. Those share the parsed certificates, which would cost each
 * of them 40 KiB and a millisecond; one with a certificate of its own parses that.
 */
function sparing(agent: HttpsAgent, access: ClusterAccess, spares: TLSSocket[]): void {
  const dial = agent.createConnection.bind(agent);
  let shared: SecureContext | undefined;
  agent.createConnection = (options: RequestOptions, created?: Created) => {
    if (certificateOf(options)) return dial(options, created);
    const spare = spares.shift();
    if (spare && !spare.destroyed) return spare;
    shared ??= createSecureContext(tlsOptionsOf(access));
    const sharing: RequestOptions & Pick<ConnectionOptions, 'secureContext'> = {
      ...options,
      secureContext: shared,
    };
    return dial(sharing, created);
  };
}

/** Connections then come from the proxy; which of them fit a request is still the agent's to say. */
function proxied(agent: HttpAgent | HttpsAgent, access: ClusterAccess, clock: Clock): void {
  agent.createConnection = (options: ClientRequestArgs | RequestOptions, created?: Created) => {
    const dialled = dialThroughProxy(access, { certificate: certificateOf(options), clock });
    const done = created as (error: Error | null, socket?: Duplex) => void;
    dialled.then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    );
    return undefined as never;
  };
}

function certificateOf(options: ClientRequestArgs | RequestOptions): ClientCertificate | undefined {
  const { cert, key } = options as RequestOptions;
  return typeof cert === 'string' && typeof key === 'string' ? { cert, key } : undefined;
}
