/** epoll(7) and eventfd(2). */
import type { OpenFile } from './descriptors.ts';
import { failure } from './failure.ts';
import { ready, Waitable } from './nodes.ts';
import type { Participant } from './participant.ts';

const operations = { add: 1, remove: 2, modify: 3 } as const;
const oneShot = 1 << 30;

interface Entry {
  open: OpenFile;
  events: number;
  token: number;
  isArmed: boolean;
  leave(): void;
}

/** A counter that is readable while it is not zero. */
export class EventCounter extends Waitable {
  #isSet = false;

  override readiness(): number {
    return this.#isSet ? ready.readable : 0;
  }

  set(): void {
    this.#isSet = true;
    this.changed();
  }

  take(): void {
    if (!this.#isSet) throw failure('EAGAIN', 'read', 'a counter');
    this.#isSet = false;
  }
}

/** What was found ready. */
export interface Found {
  token: number;
  events: number;
}

/** A set of descriptors of one process that it waits for. */
export class PollSet extends Waitable {
  readonly #entries = new Map<number, Entry>();
  #waiter: (() => void) | undefined;

  override readiness(): number {
    return 0;
  }

  override closed(): void {
    for (const { leave } of this.#entries.values()) leave();
    this.#entries.clear();
    this.#waiter = undefined;
  }

  /** How many descriptors are in it. */
  get size(): number {
    return this.#entries.size;
  }

  control({ operation, descriptor, open, events, token }: ControlRequest): void {
    this.#forgetClosed();
    const known = this.#entries.get(descriptor);
    if (operation === operations.add) {
      if (known) throw failure('EEXIST', 'epoll_ctl', `descriptor ${descriptor}`);
      const { node } = open;
      if (!(node instanceof Waitable)) throw failure('EPERM', 'epoll_ctl', open.path);
      const leave = node.watch(() => this.#waiter?.());
      this.#entries.set(descriptor, { open, events, token, isArmed: true, leave });
    } else {
      if (!known) throw failure('ENOENT', 'epoll_ctl', `descriptor ${descriptor}`);
      if (operation === operations.modify) Object.assign(known, { events, token, isArmed: true });
      else {
        known.leave();
        this.#entries.delete(descriptor);
      }
    }
    this.#waiter?.();
  }

  /** Tells `process` what is ready, a moment after it is. */
  wait(process: Participant, tell: (found: Found[]) => void): void {
    const { machine } = process;
    let isAwake = false;
    this.#waiter = () => {
      if (isAwake || this.#ready().length === 0) return;
      isAwake = true;
      machine.clock.after(machine.lagMs(), () => {
        isAwake = false;
        const found = this.#ready();
        if (found.length === 0 || !process.isAlive) return;
        this.#waiter = undefined;
        for (const entry of found) if (entry.events & oneShot) entry.isArmed = false;
        process.hear(() =>
          tell(found.map(({ token, open, events }) => ({ token, events: seen(open, events) }))),
        );
      });
    };
    this.#waiter();
  }

  #ready(): Entry[] {
    this.#forgetClosed();
    return [...this.#entries.values()].filter(
      ({ isArmed, open, events }) => isArmed && seen(open, events) !== 0,
    );
  }

  #forgetClosed(): void {
    for (const [descriptor, { open, leave }] of this.#entries) {
      if (open.isHeld) continue;
      leave();
      this.#entries.delete(descriptor);
    }
  }
}

interface ControlRequest {
  operation: number;
  descriptor: number;
  open: OpenFile;
  events: number;
  token: number;
}

/** Hang-ups are told whether they were asked for or not. */
function seen(open: OpenFile, events: number): number {
  return open.node instanceof Waitable ? open.node.readiness(open) & (events | ready.hangUp) : 0;
}
