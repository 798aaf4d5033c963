import { discard, shownJson } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { systemClock } from '@wherry/clock';
import type { LiveSession, Logger } from '@wherry/telemetry';
import { silentLogger } from '@wherry/telemetry';
import {
  acceptSpdyUpgrade,
  acceptWebSocket,
  isWebSocketRequest,
  UpgradeError,
  type UpgradeExchange,
} from '@wherry/upgrade';
import { RemoteCommandError } from '../errors.ts';
import { idleTimeoutMs, lingerTimeoutMs, streamCreationTimeoutMs } from '../limits.ts';
import { spdyServerProtocols, webSocketServerProtocols } from '../protocols.ts';
import {
  type CommandOutcome,
  openableStreams,
  type RemoteCommandSession,
  type RemoteCommandStreams,
} from '../session.ts';
import { encodeStatus, type StatusAuthor } from '../status.ts';
import { TerminalSizeDecoder, TerminalSizes } from '../terminal-sizes.ts';
import { openSpdyStreams } from './spdy.ts';
import type { ServerStreams, ServerTimeouts } from './streams.ts';
import { type ClientLeave, commandEnd, meteredStreams } from './told-session.ts';
import { openWebSocketStreams } from './websocket.ts';

/** What {@link serveRemoteCommand} is given. */
export interface ServeRemoteCommandOptions extends UpgradeExchange, Partial<ServerTimeouts> {
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
  /** Told of what passes, and of the end; that its sides are joined, the handler says. */
  session?: LiveSession | undefined;
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
  let opened: ServerStreams;
  try {
    opened = await openStreams(options);
  } catch (error) {
    const statusCode = error instanceof UpgradeError ? error.statusCode : 101;
    const served = { statusCode, outcome: null, error: error as Error };
    options.session?.end(commandEnd(served, 'broken'));
    return served;
  }
  const { outcome, left } = await runHandler(options, opened);
  writeStatus(opened, outcome, options.statusAuthor ?? 'runtime');
  const error = await opened.finish();
  const served = { statusCode: 101, outcome, error };
  options.session?.end(commandEnd(served, left));
  return served;
}

async function openStreams(options: ServeRemoteCommandOptions): Promise<ServerStreams> {
  const { request, socket, head, clock = systemClock, logger = silentLogger } = options;
  const streams = openableStreams(options.streams);
  const timeouts: ServerTimeouts = {
    streamCreationTimeoutMs: options.streamCreationTimeoutMs ?? streamCreationTimeoutMs,
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutMs,
    lingerTimeoutMs: options.lingerTimeoutMs ?? lingerTimeoutMs,
  };
  if (!isWebSocketRequest(request)) {
    const { channel, protocol, repliesAhead } = acceptSpdyUpgrade({
      request,
      socket,
      head,
      protocols: spdyServerProtocols,
    });
    return openSpdyStreams({ channel, protocol, repliesAhead, streams, timeouts, clock, logger });
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
  return openWebSocketStreams({ socket: accepted, streams, clock });
}

async function runHandler(
  options: ServeRemoteCommandOptions,
  opened: ServerStreams,
): Promise<{ outcome: CommandOutcome; left: ClientLeave | undefined }> {
  const gone = new AbortController();
  let isRunning = true;
  let left: ClientLeave | undefined;
  opened.closed.then((error) => {
    if (!isRunning) return;
    left = error === null ? 'in-order' : 'broken';
    gone.abort(new RemoteCommandError('connectionLost', 'the client has gone', { cause: error }));
  });
  const sizes = new TerminalSizes();
  readSizes(opened, sizes, options.streams.tty);
  const { transport, protocol } = opened;
  const streams = meteredStreams(options.session, opened);
  const run = async (): Promise<CommandOutcome> => {
    try {
      return readable(await options.handler({ transport, protocol, ...streams, sizes, signal: gone.signal }));
    } catch (error) {
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  };
  const outcome = await run();
  isRunning = false;
  sizes.finish();
  return { outcome, left };
}

/** An outcome that no client could read would leave it waiting, or without a reason. */
function readable(outcome: CommandOutcome): CommandOutcome {
  const kind = outcome?.kind;
  if (
    kind === 'failed' ||
    (kind === 'exited' && Number.isInteger(outcome.exitCode) && outcome.exitCode >= 0)
  ) {
    return outcome;
  }
  const shown = kind === 'exited' ? `exit code ${String(outcome.exitCode)}` : shownJson(outcome);
  return { kind: 'failed', message: `the handler ended with ${shown}, which is no outcome of a command` };
}

/** Sizes are read whether or not anybody wants them, so that they hold nothing up. */
function readSizes(opened: ServerStreams, sizes: TerminalSizes, tty: boolean): void {
  if (!opened.resize || !tty) {
    opened.resize?.receive(discard);
    sizes.finish();
    return;
  }
  const decoder = new TerminalSizeDecoder();
  opened.resize.receive({
    data(chunk) {
      for (const size of decoder.decode(chunk)) sizes.push(size);
    },
    end() {},
    closed: () => sizes.finish(),
  });
}

function writeStatus(opened: ServerStreams, outcome: CommandOutcome, author: StatusAuthor): void {
  const status = encodeStatus(outcome, opened.protocol, author);
  try {
    opened.stdout?.end();
    opened.stderr?.end();
    if (status.length > 0) opened.error.write(status);
  } catch {
    // The client has gone: finish() says so.
  }
}
