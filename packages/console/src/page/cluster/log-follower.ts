import { type ApiClient, type KubeObject, kinds, logLines, resourcePath, StatusError } from '@wherry/client';
import { sleep } from '@wherry/clock';
import type { Pod } from '@wherry/kubeapi/types';
import { endText } from '@wherry/podrules/pod-ends';
import { limits } from '../limits.ts';
import { LogBuffer } from '../models/log/log-buffer.ts';
import { LogPlace } from '../models/log/log-place.ts';
import { isForbidden, messageOf } from '../models/outcome.ts';
import { type ContainerInstance, containerInstance } from '../models/pod/container-instance.ts';

/** Which log. */
export interface LogChoice {
  namespace: string;
  pod: string;
  container: string;
  /** The instance before the last restart. */
  previous: boolean;
  timestamps: boolean;
  follow: boolean;
}

/** A log as it is read, and how far that has come. One that is followed goes on with the next instance of its container. */
export class LogFollower {
  readonly buffer = new LogBuffer();
  readonly #client: ApiClient;
  readonly #choice: LogChoice;
  readonly #changed: () => void;
  readonly #place: LogPlace;
  readonly #abort = new AbortController();
  #isShownSoon = false;
  #state = 'reading…';
  #trouble: string | undefined;

  /** Begins at once. `changed`: there is more to show. */
  constructor(client: ApiClient, choice: LogChoice, changed: () => void) {
    this.#client = client;
    this.#choice = choice;
    this.#changed = changed;
    this.#place = new LogPlace({ keepsTimes: choice.timestamps, tailLines: limits.logTailLines });
    this.#run();
  }

  /** In a few words. */
  get state(): string {
    return this.#state;
  }

  /** Why it is not read further. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  stop(): void {
    this.#abort.abort(new Error('another log is read'));
  }

  async #run(): Promise<void> {
    const { follow, previous } = this.#choice;
    try {
      if (follow && !previous) await this.#follow();
      else await this.#read({ tailLines: limits.logTailLines, previous });
      this.#state = follow && !previous ? 'the container has ended' : 'read to its end';
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.#state = 'not read further';
      this.#trouble = messageOf(error);
    }
    this.#changed();
  }

  /** From one instance to the next, until there is none. */
  async #follow(): Promise<void> {
    let known = await this.#newest();
    for (let asked: ReadOptions = { tailLines: limits.logTailLines }; ; ) {
      this.#tell('following');
      const hasBegun = await this.#readBegun(asked);
      if (!hasBegun || !known) known = await this.#newest();
      if (!hasBegun) continue;
      this.#tell('the container has ended; its next instance is awaited');
      const next = await this.#nextAfter(known);
      if (!next) return;
      await this.#bridge(known, next);
      asked = { sinceTime: this.#place.sinceTime };
      known = next;
    }
  }

  /** Reads what an instance writes until its end; false, a moment later, where it has not begun. */
  async #readBegun(asked: ReadOptions): Promise<boolean> {
    try {
      await this.#read({ ...asked, follow: true });
      this.#trouble = undefined;
      return true;
    } catch (error) {
      if (!(error instanceof StatusError && error.code === 400 && /is waiting to start/.test(error.message)))
        throw error;
      this.#tell(error.message);
      await this.#pause();
      return false;
    }
  }

  /** Reads a part of the log, of which what was read before is left out. */
  async #read(asked: ReadOptions): Promise<void> {
    this.#place.again();
    const options = { ...this.#target, ...asked, timestamps: true, signal: this.#abort.signal };
    for await (const raw of logLines(this.#client, options)) {
      const line = this.#place.take(raw);
      if (line === undefined) continue;
      this.buffer.push(line);
      this.#showSoon();
    }
  }

  /** What came between the end of one instance's log and the beginning of another's. */
  async #bridge(known: ContainerInstance | undefined, next: ContainerInstance): Promise<void> {
    const { container, pod } = this.#choice;
    if (known && known.podUid !== next.podUid) {
      this.buffer.pushNote(`— pod ${pod} is gone; what follows is of another of the same name —`);
      return;
    }
    const skipped = known ? next.restarts - known.restarts - 1 : 0;
    if (skipped > 0) {
      const lost = skipped > 1 ? `; of the ${skipped} instances after it the last alone has its log` : '';
      this.buffer.pushNote(`— ${container} ended, and was started again${lost} —`);
    }
    // Of an instance that came and went meanwhile the log is the previous one now.
    if (skipped > 0 || next.isRunning) await this.#readPrevious();
    const how = next.lastEnd ? ` ${endText(next.lastEnd)}` : ' ended';
    this.buffer.pushNote(`— ${container}${how}; what follows is of restart ${next.restarts} —`);
    this.#changed();
  }

  async #readPrevious(): Promise<void> {
    try {
      await this.#read({ previous: true, sinceTime: this.#place.sinceTime });
    } catch (error) {
      // There is none any more.
      if (!(error instanceof StatusError) || error.code >= 500) throw error;
    }
  }

  /** Waits for an instance after that one; undefined where none comes. */
  async #nextAfter(known: ContainerInstance | undefined): Promise<ContainerInstance | undefined> {
    for (;;) {
      const newest = await this.#newest();
      const isOther = newest && (newest.podUid !== known?.podUid || newest.restarts > known.restarts);
      // A status may tell late of one that was read already.
      const isRead = newest?.startedMs !== undefined && !this.#place.isBefore(newest.startedMs);
      if (isOther && !isRead) return newest;
      if (!newest || newest.isFinal) return undefined;
      if (isOther) known = newest;
      await this.#pause();
    }
  }

  /** The container's newest instance, as its pod tells; undefined where there is none. Asks until there is an answer. */
  async #newest(): Promise<ContainerInstance | undefined> {
    const { container, namespace, pod } = this.#choice;
    const path = resourcePath(kinds.pods, { namespace, name: pod });
    for (;;) {
      try {
        const { signal } = this.#abort;
        const found = await this.#client.request<KubeObject>({ method: 'GET', path, signal });
        return containerInstance(found as Pod, container);
      } catch (error) {
        this.#abort.signal.throwIfAborted();
        if (error instanceof StatusError && error.code === 404) return undefined;
        if (isForbidden(error)) throw error;
      }
      await this.#pause();
    }
  }

  get #target(): { namespace: string; pod: string; container: string } {
    const { namespace, pod, container } = this.#choice;
    return { namespace, pod, container };
  }

  #pause(): Promise<void> {
    const { signal } = this.#abort;
    return sleep({ clock: this.#client.clock, delayMs: limits.logRestartPollMs, signal });
  }

  #tell(state: string): void {
    this.#state = state;
    this.#changed();
  }

  /** Many lines come at once; they are shown together. */
  #showSoon(): void {
    if (this.#isShownSoon) return;
    this.#isShownSoon = true;
    this.#client.clock.after(limits.logShowMs, () => {
      this.#isShownSoon = false;
      if (!this.#abort.signal.aborted) this.#changed();
    });
  }
}

/** Which part of a log. */
interface ReadOptions {
  follow?: boolean;
  previous?: boolean;
  tailLines?: number;
  sinceTime?: string | undefined;
}

/** Where all of a log that is kept is read as a file, which the browser writes as it comes. */
export function logUrl({ namespace, pod, container, previous, timestamps }: LogChoice): string {
  const url = new URL('cluster', document.baseURI);
  url.pathname += resourcePath(kinds.pods, { namespace, name: pod, subresource: 'log' });
  url.searchParams.set('container', container);
  if (previous) url.searchParams.set('previous', 'true');
  if (timestamps) url.searchParams.set('timestamps', 'true');
  return url.href;
}
