import { finished } from 'node:stream/promises';
import { onAbort, orAborted } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { CriError } from '@wherry/cri';
import { limits } from '../limits.ts';
import type { ExecCommand, PodProvider, ProcessIo } from '../provider.ts';
import type { ContainerRecord } from './container-record.ts';

const signalTerminate = 15;
const signalKill = 9;

/** What a command is run with. */
export interface RunCommandOptions {
  provider: PodProvider;
  clock: Clock;
  io: ProcessIo;
  /** The command is to end: it is asked, and killed a moment later. */
  signal: AbortSignal;
}

/**
 * Runs a command in a container; resolves with its exit code when it has ended and its output is where it goes. Rejects with what
 * the provider says, or when the container does not run.
 */
export async function runCommand(
  container: ContainerRecord,
  command: ExecCommand,
  { provider, clock, io, signal }: RunCommandOptions,
): Promise<number> {
  if (!provider.exec) throw new CriError('UNIMPLEMENTED', `${provider.name} runs no commands in containers`);
  if (!container.isRunning)
    throw new CriError('FAILED_PRECONDITION', `container ${container.id} is not running`);
  signal.throwIfAborted();
  const starting = provider.exec(container.provided, command, io, { signal });
  const process = await orAborted(starting, signal).catch((error: unknown) => {
    starting.then(
      (late) => late.signal(signalKill),
      () => {},
    );
    throw error;
  });
  let isOver = false;
  // As where a container is a namespace of processes: who runs in it ends with it.
  void container.ended.then(() => isOver || process.signal(signalKill));
  let killing: ReturnType<Clock['after']> | undefined;
  const leave = onAbort(signal, () => {
    process.signal(signalTerminate);
    killing = clock.after(limits.abandonedExecGraceMs, () => process.signal(signalKill));
  });
  try {
    return await process.exited;
  } finally {
    isOver = true;
    leave();
    killing?.cancel();
    io.stdin?.destroy();
    for (const output of [io.stdout, io.stderr]) if (!output.writableEnded) output.end();
    await Promise.all([io.stdout, io.stderr].map((output) => finished(output).catch(() => {})));
  }
}
