import { type ApiClient, kinds, logLines, resourcePath } from '@wherry/client';
import { limits } from '../limits.ts';
import { LogBuffer } from '../models/log/log-buffer.ts';
import { messageOf } from '../models/outcome.ts';

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

/** A log as it is read, and how far that has come. */
export class LogFollower {
  readonly buffer = new LogBuffer();
  readonly #abort = new AbortController();
  #state = 'reading…';
  #trouble: string | undefined;

  /** Begins at once. `changed`: there is more to show. */
  constructor(client: ApiClient, choice: LogChoice, changed: () => void) {
    this.#read(client, choice, changed);
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

  async #read(client: ApiClient, choice: LogChoice, changed: () => void): Promise<void> {
    const { signal } = this.#abort;
    // Many lines come at once; they are shown together.
    let isShownSoon = false;
    const showSoon = () => {
      if (isShownSoon) return;
      isShownSoon = true;
      client.clock.after(limits.logShowMs, () => {
        isShownSoon = false;
        if (!signal.aborted) changed();
      });
    };
    try {
      if (choice.follow) this.#state = 'following';
      const lines = logLines(client, { ...choice, tailLines: limits.logTailLines, signal });
      for await (const line of lines) {
        this.buffer.push(line);
        showSoon();
      }
      this.#state = choice.follow ? 'the container has ended' : 'read to its end';
    } catch (error) {
      if (signal.aborted) return;
      this.#state = 'not read further';
      this.#trouble = messageOf(error);
    }
    changed();
  }
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
