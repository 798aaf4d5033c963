import { onAbort, pump } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import type { LiveSession, Logger } from '@wherry/telemetry';
import {
  isWebSocketRequest,
  spokenProtocol,
  UpgradeError,
  type UpgradeExchange,
  type UpgradeTarget,
  webSocketProtocols,
} from '@wherry/upgrade';
import { connectRemoteCommand } from './client/connect.ts';
import type { RemoteCommandConnection } from './client/connection.ts';
import { protocols } from './protocols.ts';
import { serveRemoteCommand } from './server/serve.ts';
import type { CommandOutcome, RemoteCommandSession, RemoteCommandStreams } from './session.ts';

/** What {@link translateRemoteCommand} is given. */
export interface TranslateRemoteCommandOptions extends UpgradeExchange {
  streams: RemoteCommandStreams;
  /** Where the SPDY request goes: the kubelet, or the runtime's streaming server. */
  backend: Omit<UpgradeTarget, 'signal'>;
  /** Told of what passes, and of the end. */
  session?: LiveSession | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
  idleTimeoutMs?: number | undefined;
  lingerTimeoutMs?: number | undefined;
}

/** What became of a translated session. */
export interface TranslatedRemoteCommand {
  /** Label of `…_stream_translator_requests_total`: 400 client handshake failed, 200 any exit code, 500 the rest. */
  code: 200 | 400 | 500;
  error: Error | null;
}

/** True for a WebSocket request that names v5, which the next hop does not speak. */
export function wantsTranslation(request: UpgradeExchange['request']): boolean {
  return isWebSocketRequest(request) && webSocketProtocols(request).includes(protocols.v5);
}

/**
 * Joins a WebSocket v5 client to a backend that speaks SPDY. The client's upgrade is finished first, so trouble with
 * the backend reaches it as a Status. Resolves when the session is over; never rejects.
 */
export async function translateRemoteCommand(
  options: TranslateRemoteCommandOptions,
): Promise<TranslatedRemoteCommand> {
  const served = await serveRemoteCommand({
    ...options,
    webSocketProtocols: [protocols.v5],
    statusAuthor: 'translator',
    handler: (session) => forward(session, options),
  });
  if (served.statusCode !== 101) return { code: 400, error: served.error };
  return { code: served.outcome?.kind === 'exited' ? 200 : 500, error: served.error };
}

async function forward(
  session: RemoteCommandSession,
  options: TranslateRemoteCommandOptions,
): Promise<CommandOutcome> {
  const backend = await connectRemoteCommand({
    ...options.backend,
    streams: options.streams,
    transport: 'spdy',
    signal: hangUpOf(session, options.streams),
    clock: options.clock,
    logger: options.logger,
  }).catch((error) => {
    throw error instanceof UpgradeError && error.code === 'unreachable'
      ? new Error(`error sending request: ${error.message}`, { cause: error })
      : error;
  });
  options.session?.joined({
    client: spokenProtocol(session.transport, session.protocol),
    backend: spokenProtocol(backend.transport, backend.protocol),
  });
  const { stdin } = backend;
  if (stdin) options.session?.stream('stdin').up.holds(() => stdin.bufferedBytes);
  return passCommandOn(session, backend);
}

/**
 * Aborts when the client has gone and leaves nothing to be done. One that closed in order has ended the input, and the
 * command has its time with it: programs that put files into containers write and close (upstream never ends it).
 */
function hangUpOf({ signal, stdin }: RemoteCommandSession, { tty }: RemoteCommandStreams): AbortSignal {
  const gone = new AbortController();
  onAbort(signal, (reason) => {
    const isClosedInOrder = reason instanceof Error && reason.cause === null;
    if (tty || !stdin || !isClosedInOrder) gone.abort(reason);
  });
  return gone.signal;
}

/**
 * Joins a client's session to the command that was started for it elsewhere, and tells how that ended. Rejects with
 * {@link RemoteCommandError} when nobody said so.
 */
export async function passCommandOn(
  session: RemoteCommandSession,
  backend: RemoteCommandConnection,
): Promise<CommandOutcome> {
  if (session.stdin && backend.stdin) pump(session.stdin, backend.stdin);
  if (backend.stdout && session.stdout) pump(backend.stdout, session.stdout);
  if (backend.stderr && session.stderr) pump(backend.stderr, session.stderr);
  forwardSizes(session, backend);
  return { kind: 'exited', exitCode: await backend.exitCode };
}

async function forwardSizes(session: RemoteCommandSession, backend: RemoteCommandConnection): Promise<void> {
  for await (const size of session.sizes) backend.resize(size);
}
