import type { Clock } from '@wherry/clock';
import { limits } from '../limits.ts';
import type { EventFacts } from './event.ts';

/** An event as it is to be sent. */
export interface AdmittedEvent {
  /** Of the object that already shows it; '' for a new one. */
  name: string;
  message: string;
  /** How often it happened, those times included that were not told. */
  count: number;
  /** When it happened first. */
  firstMs: number;
}

interface SimilarEvents {
  messages: Set<string>;
  lastMs: number;
}

interface Allowance {
  left: number;
  filledMs: number;
}

/**
 * Joins events: the same words about the same object raise a count; many similar ones within ten minutes become one;
 * an object that floods is cut off. Remembers a bounded number of each, the oldest forgotten first.
 */
export class EventAggregator {
  readonly #clock: Clock;
  readonly #events = new Map<string, AdmittedEvent>();
  readonly #similar = new Map<string, SimilarEvents>();
  readonly #allowances = new Map<string, Allowance>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The event to send; undefined when its object has said too much. What is not sent is counted all the same: the next that is
   * tells how often it happened.
   */
  admit(facts: EventFacts, seenMs: number): AdmittedEvent | undefined {
    const { object, type, reason } = facts;
    const about = `${object.kind}/${object.namespace}/${object.name}/${object.uid}/${type}`;
    const group = `${about}/${reason}`;
    const isCombined = this.#countSimilar(group, facts.message);
    const message = isCombined ? `(combined from similar events): ${facts.message}` : facts.message;
    const key = isCombined ? group : `${group}/${object.fieldPath}/${message}`;
    const known = this.#events.get(key) ?? { name: '', message, count: 0, firstMs: seenMs };
    known.count += 1;
    known.message = message;
    remember(this.#events, key, known);
    // All parts of an object share its allowance: a pod of many containers may say no more than another.
    return this.#allow(about) ? known : undefined;
  }

  #countSimilar(group: string, message: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#similar.get(group);
    const isFresh = !before || nowMs - before.lastMs > limits.similarEventsMs;
    const similar = isFresh ? { messages: new Set<string>(), lastMs: nowMs } : before;
    similar.lastMs = nowMs;
    remember(this.#similar, group, similar);
    if (similar.messages.has(message)) return false;
    if (similar.messages.size === limits.similarEventsMax - 1) return true;
    similar.messages.add(message);
    return false;
  }

  #allow(key: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#allowances.get(key) ?? { left: limits.eventBurst, filledMs: nowMs };
    const refilled = Math.min(
      limits.eventBurst,
      before.left + (nowMs - before.filledMs) / limits.eventRefillMs,
    );
    const allowed = refilled >= 1;
    remember(this.#allowances, key, { left: allowed ? refilled - 1 : refilled, filledMs: nowMs });
    return allowed;
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= limits.eventMemoryMax) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
