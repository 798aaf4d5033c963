import { type ByteChannel, meterChannel } from '@wherry/bytes';
import type { LiveSession, SessionOutcome } from '@wherry/telemetry';
import type { ProxyOutcome } from './contract.ts';

/** What carries a session and what is spoken in it, as people are told: `SPDY/3.1 v4.channel.k8s.io`. */
export function spokenProtocol(transport: 'spdy' | 'websocket', protocol: string): string {
  return `${transport === 'spdy' ? 'SPDY/3.1' : 'WebSocket'} ${protocol}`.trimEnd();
}

/** The client's side of a connection that is passed on, whose bytes the session is told of. */
export function meteredClient(
  session: LiveSession | undefined,
  { client, backend }: { client: ByteChannel; backend: ByteChannel },
): ByteChannel {
  if (!session) return client;
  const { up, down } = session.stream('connection');
  up.holds(() => backend.bufferedBytes);
  down.holds(() => client.bufferedBytes);
  return meterChannel(client, { read: up, written: down });
}

/** How a session ended that was passed on. */
export function proxyEnd({ statusCode, error, endedBy }: ProxyOutcome): SessionOutcome {
  const message = error ? { message: error.message } : {};
  if (statusCode !== 101) return { reason: 'refused', statusCode, ...message };
  return { reason: error ? 'broken' : 'closed', ...(endedBy ? { by: endedBy } : {}), ...message };
}
