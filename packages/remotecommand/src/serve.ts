import type { Clock } from '@wherry/clock';
import { systemClock } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { silentLogger } from '@wherry/telemetry';
import {
  acceptSpdyUpgrade,
  acceptWebSocket,
  isWebSocketRequest,
  UpgradeError,
  type UpgradeExchange,
} from '@wherry/upgrade';
import { discard } from './discard.ts';
import { RemoteCommandError } from './errors.ts';
import { idleTimeoutMs, lingerTimeoutMs, streamCreationTimeoutMs } from './limits.ts';
import { spdyServerProtocols, webSocketServerProtocols } from './protocols.ts';
import { openSpdyServerWire } from './server-spdy.ts';
import { openWebSocketServerWire } from './server-websocket.ts';
import type { ServerWire, ServerWireTimeouts } from './server-wire.ts';
import type { CommandOutcome, RemoteCommandSession, RemoteCommandStreams } from './session.ts';
import { encodeStatus, type StatusAuthor } from './status.ts';
import { TerminalSizeDecoder, TerminalSizes } from './terminal-sizes.ts';

/** What {@link serveRemoteCommand} is given. */
export interface ServeRemoteCommandOptions extends UpgradeExchange, Partial<ServerWireTimeouts> {
  /** What the command has: from the CRI request, not from the query. */
  streams: RemoteCommandStreams;
  /**
   * Runs the command. What it wrote and its outcome reach the client in this order; `stdout` and `stderr` need not be
   * ended. A rejection counts as `failed` with the error's message.
   */
  handler(session: RemoteCommandSession): Promise<CommandOutcome>;
  /** Default: what a CRI streaming server speaks. A translator gives `[protocols.v5]`. */
  webSocketProtocols?: readonly string[] | undefined;
  /** Whose texts the Status carries. Default `runtime`. */
  statusAuthor?: StatusAuthor | undefined;
  clock?: Clock | undefined;
  logger?: Logger | undefined;
}

/** What became of a served session. */
export interface ServedRemoteCommand {
  /** 101 when the connection was upgraded, else the refusal's status. */
  statusCode: number;
  /** null when the handler was never called. */
  outcome: CommandOutcome | null;
  /** null when the client got everything and left in order. */
  error: Error | null;
}

/**
 * Serves one exec or attach on an upgrade request, over SPDY or WebSocket by what the client asks for. After the
 * handler the Status is sent, every stream ended, and the connection kept until a slow client has read it all.
 * Resolves when the connection is gone; never rejects.
 */
export async function serveRemoteCommand(options: ServeRemoteCommandOptions): Promise<ServedRemoteCommand> {
  let wire: ServerWire;
  try {
    wire = await openWire(options);
  } catch (error) {
    const statusCode = error instanceof UpgradeError ? error.statusCode : 101;
    return { statusCode, outcome: null, error: error as Error };
  }
  const outcome = await runHandler(options, wire);
  writeStatus(wire, outcome, options.statusAuthor ?? 'runtime');
  const error = await wire.finish();
  return { statusCode: 101, outcome, error };
}

async function openWire(options: ServeRemoteCommandOptions): Promise<ServerWire> {
  const { request, socket, head, streams, clock = systemClock, logger = silentLogger } = options;
  const timeouts: ServerWireTimeouts = {
    streamCreationTimeoutMs: options.streamCreationTimeoutMs ?? streamCreationTimeoutMs,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    lingerTimeoutMs: options.lingerTimeoutMs ?? lingerTimeoutMs,
  };
  if (!isWebSocketRequest(request)) {
    const { channel, protocol } = acceptSpdyUpgrade({
      request,
      socket,
      head,
      protocols: spdyServerProtocols,
    });
    return openSpdyServerWire({ channel, protocol, streams, timeouts, clock, logger });
  }
  const accepted = acceptWebSocket({
    request,
    socket,
    head,
    protocols: options.webSocketProtocols ?? webSocketServerProtocols,
    clock,
    idleTimeoutMs: timeouts.idleTimeoutMs,
    closeTimeoutMs: timeouts.lingerTimeoutMs,
  });
  return openWebSocketServerWire({ socket: accepted, streams, clock });
}

async function runHandler(options: ServeRemoteCommandOptions, wire: ServerWire): Promise<CommandOutcome> {
  const gone = new AbortController();
  let isRunning = true;
  wire.closed.then((error) => {
    if (!isRunning) return;
    gone.abort(new RemoteCommandError('connectionLost', 'the client has gone', { cause: error }));
  });
  const sizes = new TerminalSizes();
  readSizes(wire, sizes, options.streams.tty);
  const { transport, protocol, stdin, stdout, stderr } = wire;
  try {
    return await options.handler({ transport, protocol, stdin, stdout, stderr, sizes, signal: gone.signal });
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  } finally {
    isRunning = false;
    sizes.finish();
  }
}

/** Sizes are read whether or not anybody wants them, so that they hold nothing up. */
function readSizes(wire: ServerWire, sizes: TerminalSizes, tty: boolean): void {
  if (!wire.resize || !tty) {
    wire.resize?.receive(discard);
    sizes.finish();
    return;
  }
  const decoder = new TerminalSizeDecoder();
  wire.resize.receive({
    data(chunk) {
      for (const size of decoder.decode(chunk)) sizes.push(size);
    },
    end() {},
    closed: () => sizes.finish(),
  });
}

function writeStatus(wire: ServerWire, outcome: CommandOutcome, author: StatusAuthor): void {
  const status = encodeStatus(outcome, wire.protocol, author);
  try {
    wire.stdout?.end();
    wire.stderr?.end();
    if (status.length > 0) wire.error.write(status);
  } catch {
    // The client has gone: finish() says so.
  }
}
