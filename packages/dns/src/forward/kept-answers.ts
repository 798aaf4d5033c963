import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { Answer } from '../wire/answer.ts';
import { recordTypes, responseCodes } from '../wire/codes.ts';
import type { ResourceRecord } from '../wire/record.ts';

interface Kept {
  answer: Answer;
  bytes: number;
  fromMs: number;
  untilMs: number;
}

/** Answers of other servers, also that there is nothing, for as long as they say; what was not asked for longest goes first. */
export class KeptAnswers {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The answer with the time that is left of it. */
  get(key: string): Answer | undefined {
    const kept = this.#kept.get(key);
    if (!kept) return undefined;
    this.#delete(key, kept);
    const nowMs = this.#clock.monotonicMs();
    if (nowMs >= kept.untilMs) return undefined;
    this.#set(key, kept);
    const age = Math.floor((nowMs - kept.fromMs) / 1000);
    return age === 0 ? kept.answer : aged(kept.answer, age);
  }

  add(key: string, answer: Answer): void {
    const seconds = secondsToKeep(answer);
    const before = this.#kept.get(key);
    if (before) this.#delete(key, before);
    if (seconds === 0) return;
    const fromMs = this.#clock.monotonicMs();
    this.#set(key, { answer, bytes: bytesOf(key, answer), fromMs, untilMs: fromMs + seconds * 1000 });
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= limits.keptAnswersMax && this.#bytes <= limits.keptBytesMax) break;
      this.#delete(oldest, kept);
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #set(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#bytes += kept.bytes;
  }

  #delete(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }
}

const sections = ['answers', 'authorities', 'additionals'] as const;

/** How long an answer may be repeated (RFC 2308): nothing that names no time for itself is kept. */
function secondsToKeep(answer: Answer): number {
  const { code, answers, authorities } = answer;
  if (code === responseCodes.serverFailure) return limits.keptFailureSeconds;
  if (code !== responseCodes.noError && code !== responseCodes.nameError) return 0;
  const isNegative =
    code === responseCodes.nameError || answers.every(({ type }) => type === recordTypes.CNAME);
  const soa = authorities.find(({ type }) => type === recordTypes.SOA);
  if (isNegative && !soa) return 0;
  const times = sections.flatMap((section) => answer[section].map(({ ttl }) => ttl));
  return Math.min(limits.keptSecondsMax, ...times, ...(isNegative && soa ? [minimumOf(soa)] : []));
}

function minimumOf({ data }: ResourceRecord): number {
  const numbers = data.at(-1);
  if (typeof numbers === 'string' || numbers?.length !== 20) return 0;
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.length).readUInt32BE(16);
}

function aged(answer: Answer, seconds: number): Answer {
  const older = (records: readonly ResourceRecord[]) =>
    records.map((record) => ({ ...record, ttl: Math.max(0, record.ttl - seconds) }));
  return {
    ...answer,
    answers: older(answer.answers),
    authorities: older(answer.authorities),
    additionals: older(answer.additionals),
  };
}

/** Roughly what it takes in memory. */
const recordOverheadBytes = 300;

function bytesOf(key: string, answer: Answer): number {
  const records = sections.flatMap((section) => answer[section]);
  const data = records.flatMap((record) => [record.owner.length, ...record.data.map((part) => part.length)]);
  return (
    key.length + recordOverheadBytes * (1 + records.length) + data.reduce((sum, length) => sum + length, 0)
  );
}
