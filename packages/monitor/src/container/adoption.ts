import { nowNs } from '../fine-clock.ts';
import { WatchedProcess } from '../process/exit-watch.ts';
import { undo } from './creation.ts';
import { recordExit } from './exit-record.ts';
import type { ContainerLife } from './life.ts';

const signalKill = 9;

/**
 * Takes on a container that an earlier monitor made, or was making: then its OCI runtime is waited for. False when that
 * has failed, of which nothing stays behind. Rejects when it cannot be taken on; then it may be tried again.
 */
export async function adopt(life: ContainerLife): Promise<boolean> {
  const { phase } = life.record;
  if (phase === 'creating') return takeOnCreation(life);
  if (phase === 'exited' || phase === 'unknown') life.isOver();
  else await takeOn(life);
  return true;
}

/** The monitor before ended while its OCI runtime was at work, which goes on under the keeper. */
async function takeOnCreation(life: ContainerLife): Promise<boolean> {
  const { dependencies, request, record, keeping, oci } = life;
  const keeper = life.isOfThisBoot ? await keeping.find() : null;
  const hasCome = (await keeper?.runtimeEnded()) === 0;
  // A terminal went to the monitor before, and with it.
  if (!hasCome || request.terminal) {
    dependencies.logger.warn('removing a container that was never finished', { container: request.id });
    await undo(life);
    return false;
  }
  keeping.findInput(record.inputHolder);
  const stdio = life.openStdio();
  stdio.openPipes({ stdin: record.stdinOpen, existing: true });
  stdio.begin();
  life.created(oci.launchedPid());
  return true;
}

async function takeOn(life: ContainerLife): Promise<void> {
  const { record, request, keeping } = life;
  const { pid } = record.process!;
  if (!life.isOfThisBoot) {
    void life.finish(null, 'the machine was restarted while the container ran');
    return;
  }
  await keeping.find();
  // One call of the OCI runtime made and started it; the monitor before ended between its two notes of that.
  if (record.phase === 'created' && request.start) life.started();
  const watched = life.openProcess(pid);
  keeping.findInput(record.inputHolder);
  const stdio = life.openStdio();
  if (!request.terminal) stdio.openPipes({ stdin: record.stdinOpen, existing: true });
  else {
    const terminal = keeping.copyInput();
    if (terminal !== null) stdio.openTerminal(terminal);
  }
  stdio.begin();
  if (record.phase === 'starting' && watched) await life.start({ again: true });
  if (watched) life.watch(watched);
  else void life.finish(keeping.exitOf(pid)?.exitCode ?? null);
}

/** For a container that cannot be taken on: ends its processes, so that none is without an owner, and says so. */
export async function giveUp(life: ContainerLife, kill: () => void, reason: string): Promise<void> {
  const { dependencies, record, keeping } = life;
  const identity = life.isOfThisBoot ? record.process : null;
  if (identity) WatchedProcess.open({ pid: identity.pid, identity, tools: dependencies })?.signal(signalKill);
  kill();
  await keeping.find();
  keeping.end(null);
  const unseen = `the container could not be taken on by a new monitor, and was killed: ${reason}`;
  recordExit(record, {
    exitCode: null,
    finishedAtNs: nowNs(dependencies.clock),
    outOfMemory: false,
    unseen,
  });
  life.isOver();
}
