import { type ApiClient, kinds, resourcePath, StatusError } from '@wherry/client';
import type { SessionHop, SessionList } from '@wherry/telemetry';
import { decodeSessionList, hopTitle, type UnseenHop } from '@wherry/telemetry/session-paths';
import { limits } from '../limits.ts';
import { messageOf } from '../models/outcome.ts';
import type { SessionSight } from '../models/sessions.ts';
import { RestingPoll } from './resting-poll.ts';
import { readStreamingSessions } from './streaming-sessions.ts';

const path = '/debug/sessions';

/** Sessions of all hops, asked for again and again. */
export class SessionPoll {
  readonly #client: ApiClient;
  readonly #changed: () => void;
  readonly #poll: RestingPoll;
  #sight: SessionSight = { hops: [], before: [], unseen: [] };
  #isComplete = false;

  constructor(client: ApiClient, changed: () => void) {
    this.#client = client;
    this.#changed = changed;
    this.#poll = new RestingPoll({
      ...{ clock: client.clock, periodMs: limits.sessionsPollMs },
      look: (signal) => this.#look(signal),
    });
  }

  get sight(): SessionSight {
    return this.#sight;
  }

  /** Which hops do not say anything, and why: those with one reason together. */
  get troubles(): readonly string[] {
    const byReason = Map.groupBy(this.#sight.unseen, ({ reason }) => reason);
    return [...byReason].map(([reason, hops]) => `${hops.map(hopTitle).join(', ')}: ${reason}`);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  follow(): void {
    this.#poll.follow();
  }

  rest(): void {
    this.#poll.rest();
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const unseen: UnseenHop[] = [];
    const ask = async (who: { hop: SessionHop; node?: string }, from: string): Promise<SessionList[]> => {
      try {
        const list = decodeSessionList(await this.#client.request({ method: 'GET', path: from, signal }));
        if (list) return [list];
        unseen.push({ ...who, reason: 'what it answers is no list of sessions' });
      } catch (error) {
        signal.throwIfAborted();
        unseen.push({ ...who, reason: reasonOf(error) });
      }
      return [];
    };
    const names = await this.#nodeNames(unseen, signal);
    const answers = [await ask({ hop: 'apiserver' }, path)];
    // One after the other: a browser has six connections, and others need them too.
    for (const node of names) {
      const subresource = `proxy${path}`;
      answers.push(
        await ask({ hop: 'kubelet', node }, resourcePath(kinds.nodes, { name: node, subresource })),
      );
    }
    const streaming = await readStreamingSessions(names, signal);
    const { hops: before } = this.#sight;
    this.#sight = {
      ...{ hops: [...answers.flat(), ...streaming.lists], before },
      unseen: [...unseen, ...streaming.unseen],
    };
    this.#isComplete = true;
    this.#changed();
    return true;
  }

  async #nodeNames(unseen: UnseenHop[], signal: AbortSignal): Promise<string[]> {
    try {
      const { items } = await this.#client.metadata(kinds.nodes).listAll({ signal });
      return items.map(({ metadata }) => metadata?.name ?? '');
    } catch (error) {
      signal.throwIfAborted();
      unseen.push({ hop: 'kubelet', reason: `nodes can't be listed: ${messageOf(error)}` });
      return [];
    }
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof StatusError && error.code === 404
    ? 'does not tell of sessions (/debug/sessions)'
    : messageOf(error);
