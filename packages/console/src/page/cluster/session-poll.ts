import { type ApiClient, kinds, resourcePath, StatusError } from '@wherry/client';
import { sleep } from '@wherry/clock';
import type { SessionList } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { messageOf } from '../models/outcome.ts';

const path = '/debug/sessions';

/** Sessions of all hops, asked for again and again. */
export class SessionPoll {
  readonly #client: ApiClient;
  readonly #changed: () => void;
  #abort: AbortController | undefined;
  #hops: readonly SessionList[] = [];
  #before: readonly SessionList[] = [];
  #troubles: readonly string[] = [];
  #isComplete = false;

  constructor(client: ApiClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
  }

  get hops(): readonly SessionList[] {
    return this.#hops;
  }

  /** The same a moment ago. */
  get before(): readonly SessionList[] {
    return this.#before;
  }

  /** Which hops do not say anything, and why. */
  get troubles(): readonly string[] {
    return this.#troubles;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  follow(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    this.#run(this.#abort.signal).catch(() => {});
  }

  rest(): void {
    this.#abort?.abort(new Error('nobody looks'));
    this.#abort = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#look(signal);
      await sleep({ clock: this.#client.clock, delayMs: limits.sessionsPollMs, signal });
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const troubles: string[] = [];
    const ask = async (who: string, from: string): Promise<SessionList[]> => {
      try {
        return [await this.#client.request<SessionList>({ method: 'GET', path: from, signal })];
      } catch (error) {
        signal.throwIfAborted();
        const isUnknown = error instanceof StatusError && error.code === 404;
        troubles.push(
          `${who}: ${isUnknown ? 'does not tell of sessions (/debug/sessions)' : messageOf(error)}`,
        );
        return [];
      }
    };
    const names = await this.#nodeNames(troubles, signal);
    const answers = [await ask('API server', path)];
    // One after the other: a browser has six connections, and others need them too.
    for (const name of names)
      answers.push(
        await ask(`node ${name}`, resourcePath(kinds.nodes, { name, subresource: `proxy${path}` })),
      );
    this.#before = this.#hops;
    this.#hops = answers.flat();
    this.#troubles = troubles;
    this.#isComplete = true;
    this.#changed();
  }

  async #nodeNames(troubles: string[], signal: AbortSignal): Promise<string[]> {
    try {
      const { items } = await this.#client.metadata(kinds.nodes).listAll({ signal });
      return items.map(({ metadata }) => metadata?.name ?? '');
    } catch (error) {
      signal.throwIfAborted();
      troubles.push(`nodes: ${messageOf(error)}`);
      return [];
    }
  }
}
