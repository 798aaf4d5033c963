import { rmSync } from 'node:fs';
import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import {
  closeDescriptor,
  openPipe,
  type ProcessIdentity,
  programPath,
  readableBytes,
  readNow,
  spawnProgram,
} from '@wherry/linux';
import { MonitorError } from '@wherry/monitor-api';
import { limits } from '../limits.ts';
import { WatchedProcess, type WatchTools } from './exit-watch.ts';
import { lastOciError } from './oci-log.ts';
import { SealedPrograms } from './sealed-programs.ts';

const signalKill = 9;

/** One end of a process's stdio: a descriptor, or /dev/null. */
export type StdioEnd = number | 'ignore';

/** A program that is about to be started. */
export interface OciLaunch {
  /** An absolute path. */
  program: string;
  arguments: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  stdio: readonly [StdioEnd, StdioEnd, StdioEnd];
}

/** A program that was started. */
export interface OciRun {
  /** What all that it starts comes after. */
  identity: ProcessIdentity;
  /** Its exit code, or null when that cannot be known. */
  ended: Promise<number | null>;
}

/** What one call of the OCI runtime's program gets. */
export interface OciCall {
  /** Sub-command and its arguments ("exec", "--detach", …). */
  arguments: string[];
  /** What stands before the sub-command. Default: nothing. */
  globals?: readonly string[] | undefined;
  /** Where it logs; read for the error's text, and removed. */
  logPath: string;
  /** stdin, stdout and stderr of the container's process. Not closed here. */
  stdio?: [StdioEnd, StdioEnd, StdioEnd];
  /** Beside the monitor's own. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Runs once the program has its descriptors, and is told its process id. */
  onSpawned?: (pid: number) => void;
  /** When the program is killed. Default: `limits.ociCallTimeoutMs`. */
  timeoutMs?: number;
  /** Kills the program. */
  signal?: AbortSignal | undefined;
  /** Starts the program in another way. */
  run?: (launch: OciLaunch) => OciRun;
}

/** How the programs are run. */
export interface OciRuntimeOptions {
  /** "runc", "crun" or a path. */
  program: string;
  /** State folder of the program (`--root`). */
  root: string;
  tools: WatchTools;
  /** Told that a call has ended: what its program left has come to this process. */
  onCallEnded: () => void;
}

/**
 * runc is a Go program that lives some milliseconds: one thread of Go code and no garbage collection make it about a
 * tenth faster. Nothing of this reaches the container, whose environment is its own.
 */
const goSettings = { GOMAXPROCS: '1', GOGC: 'off' };

/**
 * What a service's manager told this process alone (sd_notify(3), sd_listen_fds(3)): runc and crun would hand the socket and the
 * descriptors on, and refuse to start where that can't be.
 */
const notForContainers = {
  NOTIFY_SOCKET: undefined,
  LISTEN_FDS: undefined,
  LISTEN_FDNAMES: undefined,
  LISTEN_PID: undefined,
};

/**
 * runc or crun as a child process. Only what they alone can do: create, run, start, exec, update, delete; state comes
 * from our records, signals go by pid descriptor.
 */
export class OciRuntime {
  readonly program: string;
  readonly #options: OciRuntimeOptions;
  /** Programs of the calls that are under way. */
  readonly #underway: Set<ProcessIdentity>;
  readonly #sealed: SealedPrograms;
  readonly #path: string;

  /** Throws ENOENT when there is no such program. `shared` is what another one, of the same monitor, goes on with. */
  constructor(options: OciRuntimeOptions, shared?: OciRuntime) {
    this.program = options.program;
    this.#path = programPath(options.program);
    this.#options = options;
    this.#underway = shared ? shared.#underway : new Set();
    const tryProgram = (path: string, signal: AbortSignal) => this.#tryProgram(path, signal);
    this.#sealed = shared ? shared.#sealed : new SealedPrograms({ clock: options.tools.clock, tryProgram });
  }

  /**
   * From which moment on a child of this process may be one that a call under way has started, and that nobody has taken on
   * yet: clock ticks since boot, `Infinity` when no call is under way.
   */
  get underwaySinceTicks(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...[...this.#underway].map(({ startTicks }) => startTicks));
  }

  /** Another program on the same state, where one is named. */
  withProgram(program = this.program): OciRuntime {
    return program === this.program ? this : new OciRuntime({ ...this.#options, program }, this);
  }

  /** Lets go of what it keeps for later calls. No call may be under way. */
  close(): Promise<void> {
    return this.#sealed.close();
  }

  /** Runs one call to its end. Rejects with `UNKNOWN` and the OCI runtime's own words when it fails. */
  async call(call: OciCall): Promise<void> {
    call.signal?.throwIfAborted();
    const errors = call.stdio ? null : openPipe({ nonBlocking: true });
    try {
      const run = call.run ?? ((launch) => this.#run(launch, call));
      const exitCode = await this.#outcomeOf(run(this.#launch(call, errors?.writeDescriptor)));
      if (exitCode !== 0) throw this.#failure(call, exitCode, errors ? readWords(errors.readDescriptor) : '');
    } finally {
      if (errors) closeDescriptor(errors.readDescriptor);
      if (errors) closeDescriptor(errors.writeDescriptor);
      // Now, not soon: removing a folder stops without a word at a file that goes meanwhile.
      rmSync(call.logPath, { force: true });
      this.#options.onCallEnded();
    }
  }

  #launch(call: OciCall, errors: number | undefined): OciLaunch {
    return {
      program: this.#sealed.pathOf(this.#path),
      arguments: [
        ...['--root', this.#options.root, '--log', call.logPath, '--log-format', 'json'],
        ...(call.globals ?? []),
        ...call.arguments,
      ],
      environment: { ...environment(), ...call.environment },
      stdio: call.stdio ?? ['ignore', 'ignore', errors ?? 'ignore'],
    };
  }

  #run(
    launch: OciLaunch,
    { onSpawned, signal, timeoutMs }: Pick<OciCall, 'onSpawned' | 'signal' | 'timeoutMs'>,
  ): OciRun {
    const { tools } = this.#options;
    const pid = spawnProgram({ ...launch, ownSession: true });
    onSpawned?.(pid);
    const child = WatchedProcess.openChild(pid, tools);
    return { identity: child.identity, ended: endOf(child, { clock: tools.clock, signal, timeoutMs }) };
  }

  /** The exit code of a program that stands in for another and is to print its version. */
  async #tryProgram(program: string, signal: AbortSignal): Promise<number | null> {
    const launch = { program, arguments: ['--version'], environment: environment() };
    return this.#outcomeOf(this.#run({ ...launch, stdio: ['ignore', 'ignore', 'ignore'] }, { signal }));
  }

  /** Waits for the end of a program, which is under way until then. */
  async #outcomeOf({ identity, ended }: OciRun): Promise<number | null> {
    this.#underway.add(identity);
    try {
      return await ended;
    } finally {
      this.#underway.delete(identity);
    }
  }

  #failure(call: OciCall, exitCode: number | null, words: string): MonitorError {
    const reason = lastOciError(call.logPath) || words || `ended with code ${exitCode}`;
    return new MonitorError('UNKNOWN', `${this.program} ${call.arguments[0]}: ${reason}`);
  }
}

const environment = () => ({ ...process.env, ...goSettings, ...notForContainers });

/** Waits for the program; an abort or too long a time kills it, and is waited for as well. */
async function endOf(
  child: WatchedProcess,
  {
    clock,
    signal,
    timeoutMs = limits.ociCallTimeoutMs,
  }: { clock: Clock; signal: AbortSignal | undefined; timeoutMs: number | undefined },
): Promise<number | null> {
  const kill = () => void child.signal(signalKill);
  const timer = clock.after(timeoutMs, kill);
  const leave = onAbort(signal, kill);
  try {
    return await child.exited;
  } finally {
    timer.cancel();
    leave();
  }
}

/** What the program printed, as far as a pipe holds it. */
function readWords(descriptor: number): string {
  const buffer = Buffer.alloc(Math.min(readableBytes(descriptor), limits.ociLogBytesMax));
  const bytes = buffer.byteLength > 0 ? (readNow(descriptor, buffer) ?? 0) : 0;
  return buffer.toString('utf8', 0, bytes).trim();
}
