import type { Clock } from '@wherry/clock';
import { createSpdySession, type SpdySession } from '@wherry/spdy';
import { requestUpgrade, type UpgradeTarget } from '@wherry/upgrade';
import type { ClientWire } from './client-wire.ts';
import { idleTimeoutMs, pingIntervalMs } from './limits.ts';
import { hasResize, protocols, spdyClientProtocols } from './protocols.ts';
import type { RemoteCommandStreams } from './session.ts';

/** What {@link openSpdyClientWire} is given. */
export interface SpdyClientOptions extends UpgradeTarget {
  streams: RemoteCommandStreams;
  clock: Clock;
}

/** Upgrades to SPDY and opens the streams in the order in which Go clients do. */
export async function openSpdyClientWire(options: SpdyClientOptions): Promise<ClientWire> {
  const upgraded = await requestUpgrade({ ...options, method: 'POST', protocols: spdyClientProtocols });
  const session = createSpdySession({
    transport: upgraded.channel,
    role: 'client',
    clock: options.clock,
    pingIntervalMs,
    idleTimeoutMs,
  });
  try {
    return await openStreams(options, session, upgraded.protocol || protocols.v1);
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Waits for each answer before it opens the next stream, and sends nothing before all are there. */
async function openStreams(
  options: SpdyClientOptions,
  session: SpdySession,
  protocol: string,
): Promise<ClientWire> {
  const { stdin, stdout, stderr, tty } = options.streams;
  const open = (streamType: string) =>
    session.createStream({ streamtype: streamType }, { signal: options.signal });
  const error = await open('error');
  error.end();
  const input = stdin ? await open('stdin') : null;
  const output = stdout ? await open('stdout') : null;
  const errors = stderr && !tty ? await open('stderr') : null;
  const resize = tty && hasResize(protocol) ? await open('resize') : null;
  return {
    transport: 'spdy',
    protocol,
    stdin: input,
    stdout: output,
    stderr: errors,
    error,
    resize,
    close: () => session.close(),
    abort: (reason) => session.abort(reason),
    closed: session.closed,
  };
}
