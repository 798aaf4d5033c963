import type { Clock } from '@wherry/clock';
import { tooManyRequests } from '@wherry/kubeapi';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import { groups, type UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';
import { FlowRefusal } from './fair-queue.ts';
import { Levels, type LevelsOptions, type Place } from './levels.ts';
import { isLongRunning } from './long-running.ts';
import { isHealthPath } from './request-match.ts';

/** Gives a place back. */
export type Leave = () => void;

/** What requests are judged by, and counted in. */
export interface FlowControlOptions extends Pick<LevelsOptions, 'schemas' | 'levels'> {
  metrics: MetricsRegistry;
  clock: Clock;
}

/**
 * Decides which requests are served now, which wait, and which are told to come back: API priority and fairness, by the
 * stored FlowSchemas and PriorityLevelConfigurations.
 */
export class FlowControl {
  readonly #levels: Levels;
  readonly #longRunning = new Map<string, number>();
  readonly #metrics: ReturnType<typeof createMetrics>;
  readonly #clock: Clock;
  #longRunningCount = 0;
  #unknownCount = 0;

  constructor({ metrics, clock, schemas, levels }: FlowControlOptions) {
    this.#clock = clock;
    this.#metrics = createMetrics(metrics);
    const onPlaces = (name: string, nominal: number) =>
      this.#metrics.nominal.set(nominal, { priority_level: name });
    this.#levels = new Levels({ clock, schemas, levels, onPlaces });
  }

  /** A place for finding out who asks; everybody has the same chance, and health checks need none. Throws 429 when too many do. */
  enterUnknown(info: RequestInfo): Leave {
    if (isHealthPath(info)) return () => {};
    if (this.#unknownCount >= limits.unknownRequestsMax) {
      this.#metrics.rejected.add(1, {
        priority_level: 'unknown',
        flow_schema: 'unknown',
        reason: 'queue-full',
      });
      throw refused();
    }
    this.#unknownCount += 1;
    return once(() => {
      this.#unknownCount -= 1;
    });
  }

  /** Where a user's request belongs. */
  placeOf(user: UserInfo, info: RequestInfo): Place {
    return this.#levels.placeOf(user, info);
  }

  /** A place for a user's request, after a wait if need be. Throws 429 with Retry-After. */
  async enter(place: Place, user: UserInfo, info: RequestInfo, signal: AbortSignal): Promise<Leave> {
    if (place.level.isExempt) return () => {};
    if (isLongRunning(info)) return this.#enterLong(place, user);
    const labels = labelsOf(place);
    const { current, waiting, waitSeconds, dispatched, rejected } = this.#metrics;
    const startedMs = this.#clock.monotonicMs();
    waiting.add(1, labels);
    try {
      const leave = await place.level.queue.enter(place.flow, signal);
      dispatched.add(1, labels);
      current.add(1, labels);
      return once(() => {
        current.add(-1, labels);
        leave();
      });
    } catch (error) {
      if (!(error instanceof FlowRefusal)) throw error;
      rejected.add(1, { ...labels, reason: error.reason });
      throw refused();
    } finally {
      waiting.add(-1, labels);
      const { priority_level } = labels;
      waitSeconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, { priority_level });
    }
  }

  /** Watches and streams hold a connection and little else; nodes have theirs whatever others do. */
  #enterLong(place: Place, user: UserInfo): Leave {
    if (user.groups.includes(groups.nodes)) return () => {};
    const key = place.flow;
    const own = this.#longRunning.get(key) ?? 0;
    if (own >= limits.longRunningPerFlowMax || this.#longRunningCount >= limits.longRunningMax) {
      this.#metrics.rejected.add(1, { ...labelsOf(place), reason: 'long-running' });
      throw refused();
    }
    this.#longRunning.set(key, own + 1);
    this.#longRunningCount += 1;
    return once(() => {
      const left = (this.#longRunning.get(key) ?? 1) - 1;
      if (left > 0) this.#longRunning.set(key, left);
      else this.#longRunning.delete(key);
      this.#longRunningCount -= 1;
    });
  }
}

const labelsOf = ({ level, schema }: Place) => ({ priority_level: level.name, flow_schema: schema.name });

const refused = () => tooManyRequests('too many requests, please try again later', 1);

function once(leave: () => void): Leave {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    leave();
  };
}

function createMetrics(metrics: MetricsRegistry): {
  current: Gauge;
  waiting: Gauge;
  nominal: Gauge;
  waitSeconds: Histogram;
  dispatched: Counter;
  rejected: Counter;
} {
  const name = (end: string) => `apiserver_flowcontrol_${end}`;
  return {
    current: metrics.gauge(name('current_executing_requests'), 'Requests that have a place, by level.'),
    waiting: metrics.gauge(name('current_inqueue_requests'), 'Requests that wait for a place, by level.'),
    nominal: metrics.gauge(name('nominal_limit_seats'), 'Places that are its own or lent, by level.'),
    waitSeconds: metrics.histogram(name('request_wait_duration_seconds'), 'Waits for a place, by level.'),
    dispatched: metrics.counter(name('dispatched_requests_total'), 'Requests that got a place, by level.'),
    rejected: metrics.counter(name('rejected_requests_total'), 'Requests that got 429, by level and why.'),
  };
}
