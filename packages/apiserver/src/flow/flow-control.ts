import type { Clock } from '@wherry/clock';
import { tooManyRequests } from '@wherry/kubeapi';
import type { Counter, Gauge, Histogram, MetricsRegistry } from '@wherry/telemetry';
import type { UserInfo } from '../authentication/identity.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { limits, periods } from '../limits.ts';
import { FairQueue, FlowRefusal } from './fair-queue.ts';
import { isHealthPath, type LevelName, levelShares, type Place, placeOf } from './levels.ts';
import { isLongRunning } from './long-running.ts';

/** Gives a place back. */
export type Leave = () => void;

/**
 * Decides which requests are served now, which wait, and which are told to come back: API priority and fairness, with
 * upstream's levels as they come (they can not be configured).
 */
export class FlowControl {
  readonly #levels = new Map<LevelName, FairQueue>();
  readonly #longRunning = new Map<string, number>();
  readonly #metrics: ReturnType<typeof createMetrics>;
  readonly #clock: Clock;
  #longRunningCount = 0;
  #unknownCount = 0;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.#clock = clock;
    this.#metrics = createMetrics(metrics);
    const shares = Object.entries(levelShares) as [LevelName, number][];
    const sum = shares.reduce((total, [, share]) => total + share, 0);
    for (const [name, share] of shares) {
      const placesMax = Math.ceil((limits.inFlightRequestsMax * share) / sum);
      const placesPerFlowMax = Math.ceil(placesMax * limits.flowPlacesPortion);
      const waiting = name === 'catch-all' ? 0 : limits.waitingRequestsMax;
      const waitingPerFlowMax = Math.min(waiting, limits.waitingPerFlowMax);
      const waits = { waitingMax: waiting, waitingPerFlowMax, waitMaxMs: periods.requestWaitMs };
      this.#levels.set(name, new FairQueue({ placesMax, placesPerFlowMax, ...waits, clock }));
    }
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

  /** A place for a user's request, after a wait if need be. Throws 429 with Retry-After. */
  async enter(user: UserInfo, info: RequestInfo, signal: AbortSignal): Promise<Leave> {
    const place = placeOf(user, info);
    if (place.level === 'exempt') return () => {};
    if (isLongRunning(info)) return this.#enterLong(place);
    const labels = { priority_level: place.level, flow_schema: place.schema };
    const { current, waiting, waitSeconds, dispatched, rejected } = this.#metrics;
    const startedMs = this.#clock.monotonicMs();
    waiting.add(1, labels);
    try {
      const leave = await this.#levels.get(place.level)!.enter(place.flow, signal);
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
      waitSeconds.observe((this.#clock.monotonicMs() - startedMs) / 1000, { priority_level: place.level });
    }
  }

  /** Watches and streams hold a connection and little else; nodes have theirs whatever others do. */
  #enterLong({ level, schema, flow }: Place): Leave {
    if (level === 'system' || level === 'node-high') return () => {};
    const key = `${schema}/${flow}`;
    const own = this.#longRunning.get(key) ?? 0;
    if (own >= limits.longRunningPerFlowMax || this.#longRunningCount >= limits.longRunningMax) {
      this.#metrics.rejected.add(1, { priority_level: level, flow_schema: schema, reason: 'long-running' });
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
  waitSeconds: Histogram;
  dispatched: Counter;
  rejected: Counter;
} {
  const name = (end: string) => `apiserver_flowcontrol_${end}`;
  return {
    current: metrics.gauge(name('current_executing_requests'), 'Requests that have a place, by level.'),
    waiting: metrics.gauge(name('current_inqueue_requests'), 'Requests that wait for a place, by level.'),
    waitSeconds: metrics.histogram(name('request_wait_duration_seconds'), 'Waits for a place, by level.'),
    dispatched: metrics.counter(name('dispatched_requests_total'), 'Requests that got a place, by level.'),
    rejected: metrics.counter(name('rejected_requests_total'), 'Requests that got 429, by level and why.'),
  };
}
