import { nameRecord } from '../cluster/cluster-records.ts';
import type { ClusterZone } from '../cluster/cluster-zone.ts';
import type { ReverseZone } from '../cluster/reverse-zone.ts';
import type { Forwarder } from '../forward/forwarder.ts';
import type { LoopProbe } from '../forward/loop-probe.ts';
import { limits } from '../limits.ts';
import { type Answer, bareAnswer } from '../wire/answer.ts';
import { recordTypes, responseCodes } from '../wire/codes.ts';
import type { Name } from '../wire/name.ts';
import type { Query } from '../wire/query.ts';
import { type SearchPathOptions, searchedNames } from './search-path.ts';

/** Who knows what. */
export interface ResponderOptions extends SearchPathOptions {
  zone: ClusterZone;
  reverse: ReverseZone;
  forwarder: Forwarder;
  loop: LoopProbe;
  /** Whether the index has all that the cluster has. */
  isComplete(): boolean;
  /** Settles once it has, or has had its time to. Never rejects. */
  beginning: Promise<void>;
  /** Is told that one question has stood for a pod's whole search. */
  searched?(): void;
}

/** Finds the answer to each question: what the cluster knows at once, without waiting. */
export class Responder {
  readonly #options: ResponderOptions;
  /** Questions that wait for the beginning to end. */
  #early = 0;
  #hasBegun = false;

  constructor(options: ResponderOptions) {
    this.#options = options;
    void options.beginning.then(() => {
      this.#hasBegun = true;
    });
  }

  /** The answer to what `client`, an IP address, asks. Never rejects. */
  answer(query: Query, client: string): Answer | Promise<Answer> {
    const { zone, reverse, loop } = this.#options;
    const { name, type, refusal } = query;
    if (refusal !== undefined) return bareAnswer(refusal);
    if (loop.arrived(name)) return bareAnswer(responseCodes.refused);
    const found = zone.answer(name, type);
    if (!found) return reverse.answer(name, type) ?? this.#elsewhere(query, name, client);
    if (found.continuesAt !== undefined) return this.#continued(query, found, found.continuesAt, client);
    if (found.code !== responseCodes.nameError) return found;
    // Before all has been listed nobody knows what is not there.
    if (!this.#options.isComplete()) return this.#tooEarly(query, client);
    const names = found.answers.length > 0 ? undefined : searchedNames(this.#options, { name, type, client });
    return names ? this.#search(query, names, { client, otherwise: found }) : found;
  }

  /** Who asks right after a start is answered when all has been listed, within bounds. */
  #tooEarly(query: Query, client: string): Answer | Promise<Answer> {
    if (this.#hasBegun || this.#early >= limits.earlyQuestionsMax)
      return bareAnswer(responseCodes.serverFailure);
    this.#early += 1;
    return this.#options.beginning.then(() => {
      this.#early -= 1;
      return this.answer(query, client);
    });
  }

  #elsewhere(query: Query, name: Name, client: string): Answer | Promise<Answer> {
    const { forwarder } = this.#options;
    const { type, flags, edns } = query;
    if (type === recordTypes.AXFR || type === recordTypes.IXFR) return bareAnswer(responseCodes.refused);
    const question = { name, type, flags, dnssecOk: edns?.dnssecOk ?? false };
    return forwarder.kept(question) ?? forwarder.ask(question, client);
  }

  /** An alias of the cluster leads outside: what is there stands behind it. */
  async #continued(query: Query, found: Answer, target: Name, client: string): Promise<Answer> {
    const { code, answers } = await this.#elsewhere(query, target, client);
    const isKnown = code === responseCodes.noError || code === responseCodes.nameError;
    return isKnown ? { ...found, answers: [...found.answers, ...answers] } : bareAnswer(code);
  }

  /** The first of the names that is there, under the name that was asked for; else that name is not there. */
  async #search(
    query: Query,
    names: readonly Name[],
    { client, otherwise }: { client: string; otherwise: Answer },
  ): Promise<Answer> {
    for (const name of names) {
      const answer = await this.#plain(query, name, client);
      if (answer.code === responseCodes.nameError) continue;
      if (answer.code !== responseCodes.noError) return otherwise;
      this.#options.searched?.();
      const alias = nameRecord(query.name, recordTypes.CNAME, name);
      return { ...answer, authoritative: false, answers: [alias, ...answer.answers] };
    }
    return otherwise;
  }

  #plain(query: Query, name: Name, client: string): Answer | Promise<Answer> {
    const found = this.#options.zone.answer(name, query.type);
    if (!found) return this.#elsewhere(query, name, client);
    return found.continuesAt === undefined ? found : this.#continued(query, found, found.continuesAt, client);
  }
}
