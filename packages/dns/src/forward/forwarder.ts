import { randomInt } from 'node:crypto';
import { type Clock, deadline } from '@wherry/clock';
import { limits } from '../limits.ts';
import { type Answer, bareAnswer } from '../wire/answer.ts';
import { headerBytes, headerFlags, internetClass, recordTypes, responseCodes } from '../wire/codes.ts';
import { labelBytes, labelsOf, type Name } from '../wire/name.ts';
import { exchange, type OutgoingQuestion } from './exchange.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { Resolver } from './resolver-list.ts';

/** What is asked of another server. */
export interface ForwardedQuestion {
  name: Name;
  type: number;
  /** What of the header's flags the other server is told: recursion desired, checking disabled, authentic. */
  flags: number;
  /** Whether the client takes DNSSEC's records. */
  dnssecOk: boolean;
}

/** What a forwarder is made of. */
export interface ForwarderOptions {
  /** Those to ask, in order of preference. */
  resolvers(): readonly Resolver[];
  clock: Clock;
  /** Is told of each server that was asked, and what became of it: a code, or undefined for no answer. */
  asked?(resolver: Resolver, code: number | undefined): void;
}

const passedFlags = headerFlags.recursionDesired | headerFlags.checkingDisabled | headerFlags.authentic;

/** Asks other servers what the cluster does not know, and keeps what they say. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #kept: KeptAnswers;
  readonly #waiting = new Map<string, Promise<Answer>>();
  readonly #perClient = new Map<string, number>();
  readonly #restingUntilMs = new Map<string, number>();
  readonly #closing = new AbortController();
  #count = 0;

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#kept = new KeptAnswers(options.clock);
  }

  /** Answers that are kept. */
  get keptCount(): number {
    return this.#kept.size;
  }

  /** What is known already. */
  kept(question: ForwardedQuestion): Answer | undefined {
    return this.#kept.get(keyOf(question));
  }

  /** Forgets what other servers said, since there are others now. */
  forget(): void {
    this.#kept.clear();
    this.#restingUntilMs.clear();
  }

  /** Asks for `client`; never rejects. Too many questions at once are refused, and no answer is a server's failure. */
  async ask(question: ForwardedQuestion, client: string): Promise<Answer> {
    const key = keyOf(question);
    const known = this.#kept.get(key);
    if (known) return known;
    const ofClient = this.#perClient.get(client) ?? 0;
    if (ofClient >= limits.forwardedPerClientMax || this.#count >= limits.forwardedMax)
      return bareAnswer(responseCodes.refused);
    this.#count += 1;
    this.#perClient.set(client, ofClient + 1);
    try {
      // Who asks what somebody else has asked already waits for the same answer.
      return await (this.#waiting.get(key) ?? this.#begin(key, question));
    } finally {
      this.#count -= 1;
      const left = (this.#perClient.get(client) ?? 1) - 1;
      if (left > 0) this.#perClient.set(client, left);
      else this.#perClient.delete(client);
    }
  }

  /** Asks that very server, whatever becomes of it; nothing is kept. */
  probe(resolver: Resolver, question: ForwardedQuestion): Promise<Answer | undefined> {
    return this.#askOne(resolver, question, this.#closing.signal);
  }

  /** Ends what waits; each is answered by a failure. */
  close(): void {
    this.#closing.abort(new Error('the server closes'));
  }

  #begin(key: string, question: ForwardedQuestion): Promise<Answer> {
    const answer = this.#askAll(question).then((received) => {
      this.#waiting.delete(key);
      if (received) this.#kept.add(key, received);
      return received ?? bareAnswer(responseCodes.serverFailure);
    });
    this.#waiting.set(key, answer);
    return answer;
  }

  /** One after the other until one knows, then from the first again, as long as there is time. */
  async #askAll(question: ForwardedQuestion): Promise<Answer | undefined> {
    const { clock } = this.#options;
    using whole = deadline({
      clock,
      timeoutMs: limits.forwardTimeoutMs,
      signal: this.#closing.signal,
      what: 'an answer of another server',
    });
    let last: Answer | undefined;
    while (!whole.signal.aborted) {
      const before = clock.monotonicMs();
      for (const resolver of this.#inOrder()) {
        const answer = await this.#askOne(resolver, question, whole.signal);
        if (answer && !isFailure(answer.code)) return answer;
        last = answer ?? last;
      }
      // All have answered that they can't, or nobody listens: asking again at once would not help.
      if (clock.monotonicMs() - before < limits.attemptTimeoutMs) return last;
    }
    return last;
  }

  async #askOne(
    resolver: Resolver,
    question: ForwardedQuestion,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { clock, asked } = this.#options;
    if (signal.aborted) return undefined;
    using attempt = deadline({ clock, timeoutMs: limits.attemptTimeoutMs, signal });
    try {
      const { id, name, type, truncated, ...answer } = await exchange(
        resolver,
        outgoing(question),
        attempt.signal,
      );
      this.#restingUntilMs.delete(resolver.address);
      asked?.(resolver, answer.code);
      return { ...answer, authoritative: false };
    } catch {
      if (!this.#closing.signal.aborted)
        this.#restingUntilMs.set(resolver.address, clock.monotonicMs() + limits.resolverRestMs);
      asked?.(resolver, undefined);
      return undefined;
    }
  }

  #inOrder(): readonly Resolver[] {
    const nowMs = this.#options.clock.monotonicMs();
    const rests = ({ address }: Resolver) => (this.#restingUntilMs.get(address) ?? 0) > nowMs;
    return this.#options.resolvers().toSorted((a, b) => Number(rests(a)) - Number(rests(b)));
  }
}

function keyOf({ name, type, flags, dnssecOk }: ForwardedQuestion): string {
  return `${type} ${flags & passedFlags} ${dnssecOk} ${name}`;
}

/** Such an answer says nothing about the name: another server may know it. */
const isFailure = (code: number) => code !== responseCodes.noError && code !== responseCodes.nameError;

const idsMax = 0x10000;
/** What this server takes over UDP from others, in bytes. */
const payloadBytes = 1_232;

function outgoing({ name, type, flags, dnssecOk }: ForwardedQuestion): OutgoingQuestion {
  const id = randomInt(idsMax);
  const parts = labelsOf(name).flatMap((label) => {
    const bytes = labelBytes(label);
    return [Buffer.from([bytes.length]), bytes];
  });
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(flags & passedFlags, 2);
  header.writeUInt16BE(1, 4);
  const end = Buffer.alloc(5);
  end.writeUInt16BE(type, 1);
  end.writeUInt16BE(internetClass, 3);
  const options = Buffer.alloc(dnssecOk ? 11 : 0);
  if (dnssecOk) {
    header.writeUInt16BE(1, 10);
    options.writeUInt16BE(recordTypes.OPT, 1);
    options.writeUInt16BE(payloadBytes, 3);
    options.writeUInt16BE(0x8000, 7);
  }
  return { id, name, type, message: Buffer.concat([header, ...parts, end, options]) };
}
