import type { Machine } from '../machine/machine.ts';
import { Fifo } from '../machine/pipe.ts';
import type { SimProcess } from '../machine/process.ts';
import { nameOf } from './kept-view.ts';

export type OutputName = 'stdout' | 'stderr';
const descriptors: Readonly<Record<OutputName, number>> = { stdout: 1, stderr: 2 };
const brokenPipe = 13;

/** A container whose process began: what it is, what it wrote, how it ended. */
export class KnownContainer {
  readonly id: string;
  readonly name: string;
  readonly podUid: string;
  readonly process: SimProcess;
  readonly written: Record<OutputName, string> = { stdout: '', stderr: '' };

  constructor(facts: { id: string; name: string; podUid: string; process: SimProcess }) {
    this.id = facts.id;
    this.name = facts.name;
    this.podUid = facts.podUid;
    this.process = facts.process;
  }

  /** What both of its outputs begin with. */
  get firstWords(): string {
    return `begin ${this.id.slice(0, 8)}`;
  }

  /** Writes to one of its outputs. Without a reader it dies of it. */
  say(stream: OutputName, text: string): void {
    const pipe = this.process.descriptors.get(descriptors[stream])?.node;
    if (!(pipe instanceof Fifo) || this.process.hasEnded) return;
    if (!pipe.hasReaders) {
      this.process.exit(128 + brokenPipe);
      return;
    }
    pipe.write(Buffer.from(text));
    this.written[stream] += text;
  }

  /** Says something now and then: whole lines, and pieces of lines. */
  talk(): void {
    this.say('stdout', `${this.firstWords}\n`);
    this.say('stderr', `${this.firstWords}, no newline yet`);
    for (const [index, delayMs] of [3, 40, 900, 7_000, 60_000].entries())
      this.process.after(delayMs, () => {
        this.say('stdout', `line ${index}\nand a piece, `);
        this.say('stderr', `\n${index}`);
      });
  }
}

/** All containers whose processes began, the oldest first. */
export class Ledger {
  readonly #machine: Machine;
  readonly #known = new Map<string, KnownContainer>();
  readonly #unwitnessed = new Set<string>();
  onStarted: (known: KnownContainer) => void = () => {};

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  get all(): KnownContainer[] {
    return [...this.#known.values()];
  }

  find(id: string): KnownContainer | undefined {
    return this.#known.get(id);
  }

  /** Who would tell of its end, and keeps its output, goes before it or with it. */
  loseWitness(id: string): void {
    this.#unwitnessed.add(id);
  }

  /** Whether somebody was there to see how it ends. */
  isWitnessed(id: string): boolean {
    return !this.#unwitnessed.has(id);
  }

  started(id: string, bundle: string, process: SimProcess): KnownContainer {
    const known = new KnownContainer({ id, ...nameOf(this.#machine, bundle), process });
    this.#known.set(id, known);
    this.onStarted(known);
    return known;
  }
}
