import type { Clock } from '@wherry/clock';
import { createSpdySession, SpdyError, type SpdySession } from '@wherry/spdy';
import { requestUpgrade, type UpgradeTarget } from '@wherry/upgrade';
import { clientSilenceTimeoutMs, idleTimeoutMs, pingIntervalMs } from '../limits.ts';
import { hasResize, protocols, spdyClientProtocols } from '../protocols.ts';
import type { RemoteCommandStreams } from '../session.ts';
import type { ClientStreams } from './streams.ts';

/** What {@link openSpdyClientStreams} is given. */
export interface SpdyClientOptions extends UpgradeTarget {
  streams: RemoteCommandStreams;
  clock: Clock;
}

/** Upgrades to SPDY and opens the streams in the order in which Go clients do. */
export async function openSpdyClientStreams(options: SpdyClientOptions): Promise<ClientStreams> {
  const upgraded = await requestUpgrade({ ...options, method: 'POST', protocols: spdyClientProtocols });
  const session = createSpdySession({
    transport: upgraded.channel,
    role: 'client',
    clock: options.clock,
    pingIntervalMs,
    silenceTimeoutMs: clientSilenceTimeoutMs,
    idleTimeoutMs,
  });
  try {
    return await openStreams(options, session, upgraded.protocol || protocols.v1);
  } catch (error) {
    session.close();
    throw error;
  }
}

/**
 * Asks for all streams at once, in the order in which Go clients open them one by one, and sends nothing before every
 * one is there: that saves a round trip for each.
 */
async function openStreams(
  options: SpdyClientOptions,
  session: SpdySession,
  protocol: string,
): Promise<ClientStreams> {
  const { stdin, stdout, stderr, tty } = options.streams;
  const open = (streamType: string, isWanted: boolean) =>
    isWanted ? session.createStream({ streamtype: streamType }, { signal: options.signal }) : null;
  const [error, input, output, errors, resize] = await Promise.all([
    session.createStream({ streamtype: 'error' }, { signal: options.signal, fin: true }),
    open('stdin', stdin),
    open('stdout', stdout),
    open('stderr', stderr),
    open('resize', tty && hasResize(protocol)),
  ]);
  return {
    transport: 'spdy',
    protocol,
    stdin: input,
    stdout: output,
    stderr: errors,
    error,
    resize,
    endsInOrder: (reason) =>
      reason instanceof SpdyError && (reason.code === 'reset' || reason.code === 'going-away'),
    close: () => session.close(),
    abort: (reason) => session.abort(reason),
    hangUp: () => session.close(),
    closed: session.closed,
  };
}
