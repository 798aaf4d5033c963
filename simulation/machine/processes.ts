import type { Clock, Timer } from '@wherry/clock';
import type { Program } from '../runtime/program.ts';
import { File, Folder } from './nodes.ts';
import type { FileTree } from './tree.ts';

const [interrupt, kill, terminate] = [2, 9, 15];

/** A process of a container. */
export interface SimProcess {
  pid: number;
  startTicks: number;
  program: Program;
  onExit(exitCode: number): void;
  timer: Timer | undefined;
}

/** The containers' processes: they run on, whoever of the node is killed. */
export class Processes {
  readonly #clock: Clock;
  readonly #tree: FileTree;
  readonly #running = new Map<number, SimProcess>();
  #lastPid = 1_000;

  constructor(clock: Clock, tree: FileTree) {
    this.#clock = clock;
    this.#tree = tree;
  }

  /** Ids of what runs. */
  get pids(): number[] {
    return [...this.#running.keys()];
  }

  start(program: Program, onExit: (exitCode: number) => void): SimProcess {
    const pid = ++this.#lastPid;
    const started: SimProcess = { pid, startTicks: pid * 10, program, onExit, timer: undefined };
    this.#running.set(pid, started);
    const folder = this.#tree.makeFolders(`/proc/${pid}`);
    folder.entries.set('stat', new File(0o444, this.#clock.nowMs(), { read: () => statText(started) }));
    if (program.exitsAfterMs !== undefined) this.#endAfter(started, program.exitsAfterMs, program.exitCode);
    return started;
  }

  /** What the kernel does with a signal; a process that is gone does not mind. */
  signal(pid: number, signal: number): void {
    const target = this.#running.get(pid);
    if (!target) return;
    if (signal === kill) this.end(pid, 128 + kill);
    else if (signal === terminate || signal === interrupt)
      this.#endAfter(target, target.program.stopsAfterMs, 128 + signal);
  }

  /** It ends now. */
  end(pid: number, exitCode: number): void {
    const target = this.#running.get(pid);
    if (!target) return;
    target.timer?.cancel();
    this.#running.delete(pid);
    const proc = this.#tree.at('/proc');
    if (proc instanceof Folder) proc.entries.delete(String(pid));
    target.onExit(exitCode);
  }

  #endAfter(target: SimProcess, delayMs: number, exitCode: number): void {
    target.timer?.cancel();
    target.timer = this.#clock.after(delayMs, () => this.end(target.pid, exitCode));
  }
}

/** proc_pid_stat(5): state, parent and group first, the start time as field 22. */
function statText({ pid, startTicks }: SimProcess): string {
  const fields = [
    'S',
    1,
    pid,
    ...Array.from({ length: 16 }, () => 0),
    startTicks,
    ...Array.from({ length: 30 }, () => 0),
  ];
  return `${pid} (c) ${fields.join(' ')}`;
}
