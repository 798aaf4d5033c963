import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '@wherry/clock';
import type { Descriptors } from './descriptors.ts';
import type { Machine } from './machine.ts';
import type { SimProcess } from './process.ts';

/** Thrown out of what a dead process still tries to do: nothing of it reaches the machine. */
export class DeadError extends Error {
  constructor(name: string) {
    super(`${name} was killed`);
    this.name = 'DeadError';
  }
}

/**
 * A simulated process: kubelet, runtime or monitor. Killed, its timers never fire, its calls never answer, and what its
 * code still does changes nothing; all of it shares this JavaScript thread with the others.
 */
export class Participant {
  readonly name: string;
  readonly machine: Machine;
  /** As the kernel knows it. */
  readonly process: SimProcess;
  readonly #timers = new Set<{ cancel(): void }>();
  readonly #whenKilled = new Set<() => void>();
  readonly #life = new AbortController();
  #isAlive = true;

  constructor(name: string, machine: Machine) {
    this.name = name;
    this.machine = machine;
    this.process = machine.processes.begin({ executable: `/usr/bin/${name}`, words: [name] });
    this.process.isNodes = true;
  }

  get descriptors(): Descriptors {
    return this.process.descriptors;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Aborts when it is killed. */
  get life(): AbortSignal {
    return this.#life.signal;
  }

  /** Timers that it waits for. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Its own view of time: timers run as this process, or not at all once it is dead. */
  clockOn(clock: Clock): Clock {
    return {
      nowMs: () => clock.nowMs(),
      monotonicMs: () => clock.monotonicMs(),
      after: (delayMs, callback) => {
        if (!this.#isAlive) return { cancel() {} };
        const timer = clock.after(delayMs, () => {
          this.#timers.delete(timer);
          this.hear(callback);
        });
        this.#timers.add(timer);
        const cancel = () => {
          this.#timers.delete(timer);
          timer.cancel();
        };
        return { cancel };
      },
    };
  }

  /** Runs `work`, and all that follows from it, as this process. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Runs what it is told by a timer or a connection; one that is killed by it, or was before, does nothing more. */
  hear(work: () => void): void {
    try {
      this.run(work);
    } catch (error) {
      if (!(error instanceof DeadError)) throw error;
    }
  }

  /** What the kernel does for it when it is killed: connections break, sockets go. */
  whenKilled(work: () => void): void {
    this.#whenKilled.add(work);
  }

  /** kill -9. */
  kill(): void {
    this.#isAlive = false;
    this.#life.abort(new DeadError(this.name));
    for (const work of this.#whenKilled) work();
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.process.signal(9);
  }
}

const current = new AsyncLocalStorage<Participant>();

/** The process whose code runs now. Throws outside of any, and for a dead one. */
export function currentParticipant(): Participant {
  const participant = current.getStore();
  if (!participant) throw new Error('the simulated machine was used outside of a simulated process');
  if (!participant.isAlive) throw new DeadError(participant.name);
  return participant;
}

/** Whether code runs in a process that was killed: its promises are to stay unsettled. */
export const isDead = (): boolean => current.getStore()?.isAlive === false;

/** The process whose code runs now, dead or alive; undefined outside of any. */
export const runningParticipant = (): Participant | undefined => current.getStore();
