import type { Clock } from '@wherry/clock';
import { tooManyRequests } from '@wherry/kubeapi';
import type { MetricsRegistry } from '@wherry/telemetry';
import { groups, type UserInfo } from '../authentication/identity.ts';
import { isReading, type RequestInfo } from '../http/request-info.ts';
import { limits } from '../limits.ts';
import { FlowRefusal } from './fair-queue.ts';
import { FlowFigures } from './flow-figures.ts';
import type { InFlightLimits } from './in-flight-limits.ts';
import type { LevelPlaces } from './level.ts';
import { Levels, type LevelsOptions, type Place } from './levels.ts';
import { isLongRunning } from './long-running.ts';
import { isHealthPath } from './request-match.ts';

/** Gives a place back. */
export type Leave = () => void;

/** What requests are judged by, and counted in. */
export interface FlowControlOptions extends Pick<LevelsOptions, 'schemas' | 'levels' | 'inFlightMax'> {
  metrics: MetricsRegistry;
  clock: Clock;
  /** Decides in the place of all levels. Default: they do. */
  unshared?: InFlightLimits | undefined;
}

/** A request that wants a place. */
export interface Entering {
  info: RequestInfo;
  signal: AbortSignal;
  /** How long it may take in all; undefined where that is as long as it is used. */
  timeMs?: number | undefined;
}

/** A quarter of a request's time may go by in line, as upstream. */
const waitMaxMs = (timeMs: number | undefined): number | undefined =>
  timeMs === undefined ? undefined : timeMs / 4;

/**
 * Decides which requests are served now, which wait, and which are told to come back: API priority and fairness, by the
 * stored FlowSchemas and PriorityLevelConfigurations.
 */
export class FlowControl {
  readonly #levels: Levels;
  readonly #longRunning = new Map<string, number>();
  readonly #figures: FlowFigures;
  readonly #clock: Clock;
  readonly #unshared: InFlightLimits | undefined;
  #longRunningCount = 0;
  #unknownCount = 0;

  constructor({ metrics, clock, inFlightMax, unshared, ...objects }: FlowControlOptions) {
    this.#clock = clock;
    this.#unshared = unshared;
    this.#figures = new FlowFigures(metrics);
    const onPlaces = (name: string, places: LevelPlaces) => this.#figures.places(name, places, inFlightMax);
    this.#levels = new Levels({ clock, ...objects, inFlightMax, onPlaces });
  }

  /** A place for finding out who asks; everybody has the same chance, and health checks need none. Throws 429 when too many do. */
  enterUnknown(info: RequestInfo): Leave {
    if (isHealthPath(info)) return () => {};
    if (this.#unknownCount >= limits.unknownRequestsMax) {
      this.#figures.refusedUnknown();
      throw refused();
    }
    this.#unknownCount += 1;
    return once(() => {
      this.#unknownCount -= 1;
    });
  }

  /** Where a user's request belongs; undefined where requests are not shared by levels. */
  placeOf(user: UserInfo, info: RequestInfo): Place | undefined {
    return this.#unshared ? undefined : this.#levels.placeOf(user, info);
  }

  /** A place for a user's request, after a wait if need be. Throws 429 with Retry-After. */
  async enter(place: Place | undefined, user: UserInfo, { info, signal, timeMs }: Entering): Promise<Leave> {
    if (place?.level.isExempt) return () => {};
    if (isLongRunning(info)) return this.#enterLong(place, user);
    if (!place) return this.#enterUnshared(user, info);
    const passage = this.#figures.enters(place, !isReading(info));
    const startedMs = this.#clock.monotonicMs();
    try {
      const leave = await place.level.queue.enter(place.flow, signal, waitMaxMs(timeMs));
      const hasPlaceSinceMs = this.#clock.monotonicMs();
      passage.starts(hasPlaceSinceMs - startedMs);
      return once(() => {
        passage.ends(this.#clock.monotonicMs() - hasPlaceSinceMs);
        leave();
      });
    } catch (error) {
      if (!(error instanceof FlowRefusal)) throw error;
      passage.refused(error.reason, this.#clock.monotonicMs() - startedMs);
      throw refused();
    }
  }

  #enterUnshared(user: UserInfo, info: RequestInfo): Leave {
    const leave = this.#unshared?.enter(user, info);
    if (!leave) throw refused();
    return once(leave);
  }

  /** Watches and streams hold a connection and little else; nodes have theirs whatever others do, and none has all. */
  #enterLong(place: Place | undefined, user: UserInfo): Leave {
    const isNode = user.groups.includes(groups.nodes);
    const key = isNode ? `${groups.nodes} ${user.name}` : (place?.flow ?? user.name);
    const own = this.#longRunning.get(key) ?? 0;
    const isFull = isNode
      ? own >= limits.longRunningPerNodeMax
      : own >= limits.longRunningPerFlowMax || this.#longRunningCount >= limits.longRunningMax;
    if (isFull) {
      if (place) this.#figures.refusedLong(place);
      throw refused();
    }
    const shared = isNode ? 0 : 1;
    this.#longRunning.set(key, own + 1);
    this.#longRunningCount += shared;
    return once(() => {
      const left = (this.#longRunning.get(key) ?? 1) - 1;
      if (left > 0) this.#longRunning.set(key, left);
      else this.#longRunning.delete(key);
      this.#longRunningCount -= shared;
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
