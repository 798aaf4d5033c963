import { type ApiClient, kinds, StatusError } from '@wherry/client';
import type { Pod } from '@wherry/kubeapi/types';
import { limits } from '../limits.ts';
import { troubleOf } from '../models/outcome.ts';
import { LiveList } from './live-list.ts';
import { RestingPoll } from './resting-poll.ts';

/** Which pod is followed. */
export interface LivePodOptions {
  client: ApiClient;
  namespace: string;
  name: string;
  /** Something is different now. */
  changed: () => void;
}

/** One pod as it is now: by a watch, and for who may not list pods read by its name, once in `limits.podPollMs`. */
export class LivePod {
  readonly #options: LivePodOptions;
  readonly #list: LiveList<Pod>;
  readonly #poll: RestingPoll;
  #isFollowed = false;
  #read: { pod: Pod | undefined } | undefined;
  #trouble: string | undefined;

  constructor(options: LivePodOptions) {
    const { client, namespace, name } = options;
    this.#options = options;
    const fieldSelector = `metadata.name=${name}`;
    const changed = () => this.#told();
    this.#list = new LiveList({ client, type: kinds.pods, namespace, fieldSelector, changed });
    this.#poll = new RestingPoll({
      ...{ clock: client.clock, periodMs: limits.podPollMs },
      look: (signal) => this.#look(signal),
    });
  }

  get pod(): Pod | undefined {
    const { namespace, name } = this.#options;
    return this.#list.refusal !== undefined ? this.#read?.pod : this.#list.get(name, namespace);
  }

  /** Whether it is known that it is there, or is not. */
  get isKnown(): boolean {
    return this.#list.refusal !== undefined ? this.#read !== undefined : this.#list.isComplete;
  }

  /** Why what is shown may be old, or nothing is: in the words of who refused, or of the connection. */
  get troubles(): readonly string[] {
    const { trouble, refusal } = this.#list;
    const told = refusal === undefined ? [trouble] : [this.#read ? undefined : refusal, this.#trouble];
    return told.filter((text) => text !== undefined);
  }

  /** What keeps it from being followed, though it can be read. */
  get restriction(): string | undefined {
    const { refusal } = this.#list;
    if (refusal === undefined || !this.#read) return undefined;
    return `${refusal}. This pod is read by its name instead, every ${limits.podPollMs / 1000} s.`;
  }

  follow(): void {
    this.#isFollowed = true;
    this.#list.follow();
    this.#told();
  }

  rest(): void {
    this.#isFollowed = false;
    this.#list.rest();
    this.#poll.rest();
  }

  #told(): void {
    if (this.#isFollowed && this.#list.refusal !== undefined) this.#poll.follow();
    else this.#poll.rest();
    this.#options.changed();
  }

  async #look(signal: AbortSignal): Promise<boolean> {
    const { client, namespace, name, changed } = this.#options;
    try {
      this.#read = { pod: (await client.resource(kinds.pods).get({ namespace, name, signal })) as Pod };
      this.#trouble = undefined;
    } catch (error) {
      signal.throwIfAborted();
      const isGone = error instanceof StatusError && error.code === 404;
      if (isGone) this.#read = { pod: undefined };
      this.#trouble = isGone ? undefined : troubleOf(error);
    }
    changed();
    return true;
  }
}
