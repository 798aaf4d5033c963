import type { Clock, Timer } from '@wherry/clock';
import { programOf } from '../runtime/program.ts';
import { File, Folder, Link } from './nodes.ts';
import { SimProcess } from './process.ts';
import type { FileTree } from './tree.ts';

const [hangUp, interrupt, kill, terminate] = [1, 2, 9, 15];

/** Above what any machine gives, so that none of them is this JavaScript process's own. */
const firstPid = 10_000_000;

/** What a program does once it was started, with its words: it sets `onSignal` and its own timers, and ends itself. */
export type Behaviour = (self: SimProcess, words: readonly string[]) => void;

/** What a process begins with. */
export interface StartRequest {
  /** Undefined: init's. */
  parent?: SimProcess | undefined;
  /** Path of its program. */
  executable: string;
  words: readonly string[];
}

/** All processes of a machine: those of the node, which are simulated by their real code, and the programs that they start. */
export class Processes {
  readonly #clock: Clock;
  readonly #tree: FileTree;
  readonly #all = new Map<number, SimProcess>();
  /** What programs do, by path. */
  readonly programs = new Map<string, Behaviour>();
  #lastPid = firstPid;

  constructor(clock: Clock, tree: FileTree) {
    this.#clock = clock;
    this.#tree = tree;
  }

  /** Everything but the node's own processes, zombies too. */
  get started(): SimProcess[] {
    return [...this.#all.values()].filter(({ isNodes }) => !isNodes);
  }

  /** Ids of {@link started}. */
  get pids(): number[] {
    return this.started.map(({ pid }) => pid);
  }

  find(pid: number): SimProcess | undefined {
    return this.#all.get(pid);
  }

  /** A process that does nothing yet. */
  begin({ parent, executable, words }: StartRequest): SimProcess {
    const pid = ++this.#lastPid;
    const started = new SimProcess({ pid, parent, executable, words, clock: this.#clock });
    this.#all.set(pid, started);
    started.onReaped = () => this.#forget(started);
    const folder = this.#tree.makeFolders(`/proc/${pid}`);
    const nowMs = this.#clock.nowMs();
    folder.entries.set('stat', new File(0o444, nowMs, { read: () => started.statText }));
    folder.entries.set('exe', new Link(executable, nowMs));
    const task = this.#tree.makeFolders(`/proc/${pid}/task/${pid}`);
    task.entries.set('children', new File(0o444, nowMs, { read: () => started.childrenText }));
    return started;
  }

  /** A container's process, which ends as its command line says. */
  beginContainer(command: readonly string[]): SimProcess {
    const started = this.begin({ executable: '/container', words: command });
    live(started, command, () => {});
    return started;
  }

  /** What the kernel does with a signal; a process that is gone does not mind. */
  signal(pid: number, signal: number): void {
    this.#all.get(pid)?.signal(signal);
  }

  /** It ends now, by itself. */
  end(pid: number, exitCode: number): void {
    this.#all.get(pid)?.exit(exitCode);
  }

  /** The machine was cut off: nothing that was started runs any more. */
  endAll(): void {
    for (const { pid } of this.started) this.signal(pid, kill);
  }

  #forget({ pid }: SimProcess): void {
    this.#all.delete(pid);
    const proc = this.#tree.at('/proc');
    if (proc instanceof Folder) proc.entries.delete(String(pid));
  }
}

/** Does what a container's command line says; `last` is done right before it ends by itself. */
export function live(self: SimProcess, command: readonly string[], last: () => void): void {
  const { exitsAfterMs, exitCode, stopsAfterMs } = programOf(command);
  let end: Timer | undefined;
  const endAfter = (delayMs: number, code: number) => {
    end?.cancel();
    end = self.after(delayMs, () => {
      last();
      self.exit(code);
    });
  };
  if (exitsAfterMs !== undefined) endAfter(exitsAfterMs, exitCode);
  self.onSignal = (signal) => {
    if (signal === terminate || signal === interrupt || signal === hangUp)
      endAfter(stopsAfterMs, 128 + signal);
  };
}
