import type { Clock, Timer } from '@wherry/clock';
import { Descriptors } from './descriptors.ts';
import { ready, Waitable } from './nodes.ts';

const kill = 9;
const msPerTick = 10;

/** What a descriptor of a process shows: readable once it has ended. */
export class ProcessHandle extends Waitable {
  readonly of: SimProcess;

  constructor(of: SimProcess) {
    super(0o600, 0);
    this.of = of;
    of.whenEnded(() => this.changed());
  }

  override readiness(): number {
    return this.of.hasEnded ? ready.readable : 0;
  }
}

/** A process as the kernel has it: parent and children, what it has open, how it ended. */
export class SimProcess {
  readonly pid: number;
  readonly startTicks: number;
  readonly executable: string;
  readonly words: readonly string[];
  readonly descriptors = new Descriptors();
  readonly children = new Set<SimProcess>();
  readonly #clock: Clock;
  readonly #timers = new Set<Timer>();
  readonly #whenEnded: (() => void)[] = [];
  #parent: SimProcess | undefined;
  /** Wait status; undefined while it runs. */
  #status: number | undefined;
  /** One of the node's own, which the simulation kills and starts itself. */
  isNodes = false;
  /** It becomes the parent of what its descendants leave behind. */
  isSubreaper = false;
  /** What it does with signals but SIGKILL. */
  onSignal: (signal: number) => void = () => {};
  onReaped: () => void = () => {};

  constructor(options: {
    pid: number;
    parent: SimProcess | undefined;
    executable: string;
    words: readonly string[];
    clock: Clock;
  }) {
    this.pid = options.pid;
    this.startTicks = Math.floor(options.clock.monotonicMs() / msPerTick);
    this.executable = options.executable;
    this.words = options.words;
    this.#clock = options.clock;
    this.#adoptBy(options.parent);
  }

  get parent(): SimProcess | undefined {
    return this.#parent;
  }

  get hasEnded(): boolean {
    return this.#status !== undefined;
  }

  /** Undefined while it runs. */
  get status(): number | undefined {
    return this.#status;
  }

  /** As a shell has it: 128 + signal for one that was killed. Undefined while it runs. */
  get exitCode(): number | undefined {
    if (this.#status === undefined) return undefined;
    const signal = this.#status & 0x7f;
    return signal === 0 ? this.#status >> 8 : 128 + signal;
  }

  /** proc_pid_stat(5): state, parent and group first, the start time as field 22, the wait status as field 52. */
  get statText(): string {
    const zeros = (count: number) => Array.from({ length: count }, () => 0);
    const fields = [
      this.hasEnded ? 'Z' : 'S',
      this.#parent?.pid ?? 1,
      this.pid,
      ...zeros(16),
      this.startTicks,
    ];
    return `${this.pid} (c) ${[...fields, ...zeros(29), this.#status ?? 0].join(' ')}\n`;
  }

  get childrenText(): string {
    return [...this.children].map(({ pid }) => `${pid} `).join('');
  }

  /** Something that it does later, if it still runs then. */
  after(delayMs: number, work: () => void): Timer {
    const timer = this.#clock.after(delayMs, () => {
      this.#timers.delete(timer);
      work();
    });
    this.#timers.add(timer);
    return timer;
  }

  whenEnded(work: () => void): void {
    this.#whenEnded.push(work);
  }

  signal(signal: number): void {
    if (this.hasEnded || signal === 0) return;
    if (signal === kill) this.#end(kill);
    else this.onSignal(signal);
  }

  /** It ends by itself; a code of 128 and more stands for a signal that it died of. */
  exit(exitCode: number): void {
    this.#end(exitCode > 128 ? exitCode - 128 : exitCode << 8);
  }

  /** Its parent takes note of how it ended. */
  reap(): void {
    this.#parent?.children.delete(this);
    this.#parent = undefined;
    this.onReaped();
  }

  #end(status: number): void {
    if (this.hasEnded) return;
    this.#status = status;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    const heir = this.#heir();
    for (const child of [...this.children]) child.#adoptBy(heir);
    this.descriptors.clear();
    for (const work of this.#whenEnded.splice(0)) work();
    if (!this.#parent) this.reap();
  }

  #heir(): SimProcess | undefined {
    let above = this.#parent;
    while (above && (above.hasEnded || !above.isSubreaper)) above = above.#parent;
    return above;
  }

  /** Without a parent it is init's, which reaps at once. */
  #adoptBy(parent: SimProcess | undefined): void {
    this.#parent?.children.delete(this);
    this.#parent = parent;
    parent?.children.add(this);
    if (!parent && this.hasEnded) this.reap();
  }
}
