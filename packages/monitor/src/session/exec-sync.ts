import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { processGroupOf, signalById } from '@wherry/linux';
import { type ExecSyncResult, MonitorError, type OciProcess } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import type { ExecDependencies } from '../process/exec-call.ts';
import { type ExecProcess, prepareExec } from '../process/exec-process.ts';
import { OutputRelay, type OutputSink } from './output-relay.ts';

const unknownExitCode = 255;
const signalKill = 9;

/** What to run, and how long it may take (0: for ever). */
export interface ExecSyncRequest {
  containerId: string;
  process: OciProcess;
  timeoutMs: number;
}

/**
 * Runs a process to its end and gives back its output. Rejects `DEADLINE_EXCEEDED` when the time is over and with
 * `signal.reason` when the caller gave up; in both cases the process and its group are killed first.
 */
export async function execSync(
  dependencies: ExecDependencies,
  request: ExecSyncRequest,
  signal: AbortSignal,
): Promise<ExecSyncResult> {
  const { clock } = dependencies;
  const { timeoutMs } = request;
  const limit = timeoutMs > 0 ? deadline({ clock, timeoutMs, signal }) : null;
  const stopped = limit?.signal ?? signal;
  try {
    const exec = await prepareExec(dependencies, { ...request, stdin: false }).start({ signal: stopped });
    return await collect(exec, stopped, clock);
  } catch (error) {
    signal.throwIfAborted();
    throw stopped.aborted ? timedOut(request) : error;
  } finally {
    limit?.cleanup();
  }
}

function timedOut({ containerId, timeoutMs }: ExecSyncRequest): MonitorError {
  return new MonitorError(
    'DEADLINE_EXCEEDED',
    `the command in "${containerId}" did not end within ${timeoutMs} ms and was killed`,
  );
}

async function collect(exec: ExecProcess, stopped: AbortSignal, clock: Clock): Promise<ExecSyncResult> {
  const output = new CappedOutput();
  const stdout = new OutputRelay({ source: exec.stdout, sink: output.sink('stdout'), clock });
  const stderr = exec.stderr && new OutputRelay({ source: exec.stderr, sink: output.sink('stderr'), clock });
  const leave = onAbort(stopped, () => killGroupOf(exec));
  try {
    const exitCode = (await exec.process.exited) ?? unknownExitCode;
    stopped.throwIfAborted();
    await Promise.all([stdout.finish(limits.execDrainMs), stderr?.finish(limits.execDrainMs)]);
    return { exitCode, stdout: output.take('stdout'), stderr: output.take('stderr') };
  } finally {
    leave();
    exec.close();
  }
}

/**
 * runc makes each exec process the leader of a session, and so of a group of its own; crun makes it a member of one whose
 * leader has ended.
 */
function killGroupOf(exec: ExecProcess): void {
  const group = processGroupOf(exec.process.identity.pid);
  if (!exec.process.signal(signalKill)) return;
  if (group === null || group <= 1 || group === processGroupOf(process.pid)) return;
  signalById(-group, signalKill);
}

/** Keeps output up to a common bound; what comes beyond is read and dropped. */
class CappedOutput {
  readonly #chunks: Record<'stdout' | 'stderr', Uint8Array[]> = { stdout: [], stderr: [] };
  #left: number = limits.execSyncOutputBytesMax;

  sink(stream: 'stdout' | 'stderr'): OutputSink {
    return {
      write: (chunk) => {
        const kept = chunk.subarray(0, this.#left);
        this.#left -= kept.byteLength;
        if (kept.byteLength > 0) this.#chunks[stream].push(kept);
        return true;
      },
      drained: () => Promise.resolve(),
      closed: new Promise(() => {}),
    };
  }

  take(stream: 'stdout' | 'stderr'): Uint8Array {
    return Buffer.concat(this.#chunks[stream]);
  }
}
