import { onAbort } from '@wherry/bytes';
import { type Clock, sleep } from '@wherry/clock';
import { MonitorError } from '@wherry/monitor-api';
import type { CommandOutcome, RemoteCommandSession } from '@wherry/remotecommand';
import { limits } from '../limits.ts';
import type { ExecProcess, PreparedExec } from '../process/exec-process.ts';
import { relayInput } from './input-relay.ts';
import { LatestSize } from './latest-size.ts';
import { OutputRelay } from './output-relay.ts';

const signalHangUp = 1;
const signalKill = 9;
const unknownExitCode = 255;

/** How an exec session is run. */
export interface ExecSessionOptions {
  clock: Clock;
  /** After a vanished client's process got SIGHUP: time before SIGKILL, 0 for never. */
  abandonedGraceMs: number;
}

/** Starts a process on a client's streams and runs it to the end of both. Never rejects. */
export async function runExecSession(
  prepare: () => PreparedExec,
  session: RemoteCommandSession,
  options: ExecSessionOptions,
): Promise<CommandOutcome> {
  try {
    const sizes = new LatestSize(session);
    const prepared = prepare();
    // A terminal's process finds it in the client's size from its first moment on; others start at once.
    const firstSize = prepared.isTerminal ? await sizes.first(options.clock, limits.firstSizeWaitMs) : null;
    const exec = await prepared.start({ firstSize, latestSize: () => sizes.latest });
    sizes.follow((size) => exec.resize(size));
    return await carry(exec, session, options);
  } catch (error) {
    return {
      kind: 'failed',
      message: `error executing command in container: ${MonitorError.from(error).message}`,
    };
  }
}

async function carry(
  exec: ExecProcess,
  session: RemoteCommandSession,
  options: ExecSessionOptions,
): Promise<CommandOutcome> {
  const { clock } = options;
  const stdout = new OutputRelay({ source: exec.stdout, sink: session.stdout, clock });
  const stderr = exec.stderr && new OutputRelay({ source: exec.stderr, sink: session.stderr, clock });
  const isTerminal = exec.stderr === null;
  if (session.stdin && exec.stdin) {
    const stdin = exec.stdin;
    void relayInput(session.stdin, stdin).then((end) => {
      // A terminal's input has no end of its own: the client's bytes (Ctrl-D) say it.
      if (end === 'end-of-input' && !isTerminal) stdin.end();
    });
  }
  const leave = onAbort(session.signal, (reason) => {
    if (isTerminal || !isEndOfInput(session, reason)) void abandon(exec, options);
  });
  const exitCode = (await exec.process.exited) ?? unknownExitCode;
  leave();
  await Promise.all([stdout.finish(limits.execDrainMs), stderr?.finish(limits.execDrainMs)]);
  exec.close();
  return { kind: 'exited', exitCode };
}

/**
 * A WebSocket of the streaming server has no end of input but its own (v5 alone has one): whoever closes it in order has
 * not vanished, and the process has its input to the end. Clients that put files into containers rely on it.
 */
function isEndOfInput({ transport, stdin }: RemoteCommandSession, reason: unknown): boolean {
  const isClosedInOrder = reason instanceof Error && reason.cause === null;
  return transport === 'websocket' && stdin !== null && isClosedInOrder;
}

/**
 * The client is gone: its process hangs up, and is killed if it still runs after the grace (0: never). Its input stays
 * open as long as that takes: an end of input would make a part of it look like the whole.
 */
async function abandon(exec: ExecProcess, { clock, abandonedGraceMs }: ExecSessionOptions): Promise<void> {
  exec.process.signal(signalHangUp);
  if (abandonedGraceMs === 0) return;
  const ended = await Promise.race([
    exec.process.exited.then(() => true),
    sleep({ clock, delayMs: abandonedGraceMs }),
  ]);
  if (!ended) exec.process.signal(signalKill);
}
