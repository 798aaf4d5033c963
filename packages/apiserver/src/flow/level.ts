import type { Clock } from '@wherry/clock';
import type { PriorityLevelConfiguration } from '@wherry/kubeapi';
import { limits, periods } from '../limits.ts';
import { FairQueue, type FairQueueBounds } from './fair-queue.ts';

/** How many requests of a level are served at once. */
export interface LevelPlaces {
  /** Its part of the server's. */
  nominal: number;
  /** Of that, what is never lent. */
  kept: number;
  /** With what it may borrow. */
  max: number;
}

/** The places of levels by their shares of `total`; `Infinity` where one borrows whatever is lent. */
export function placesOf(
  levels: readonly PriorityLevelConfiguration[],
  total: number,
): Map<string, LevelPlaces> {
  const sharesOf = ({ spec }: PriorityLevelConfiguration) => spec.limited ?? spec.exempt ?? {};
  const sum = levels.reduce((all, level) => all + (sharesOf(level).nominalConcurrencyShares ?? 0), 0);
  return new Map(
    levels.map((level) => {
      const { nominalConcurrencyShares: shares = 0, lendablePercent = 0 } = sharesOf(level);
      const { borrowingLimitPercent } = level.spec.limited ?? {};
      const nominal = sum === 0 ? 0 : Math.ceil((total * shares) / sum);
      const kept = nominal - Math.round((nominal * lendablePercent) / 100);
      const borrowed =
        borrowingLimitPercent === undefined ? Infinity : Math.round((nominal * borrowingLimitPercent) / 100);
      return [level.metadata.name ?? '', { nominal, kept, max: nominal + borrowed }];
    }),
  );
}

/** A level of priority at work. */
export class Level {
  readonly name: string;
  readonly queue: FairQueue;
  uid = '';
  isExempt = false;
  isRetired = false;
  places: LevelPlaces = { nominal: 0, kept: 0, max: 0 };

  constructor(name: string, options: { clock: Clock; hasPlace(level: Level): boolean; onPlaceFree(): void }) {
    const { clock, onPlaceFree } = options;
    this.name = name;
    this.queue = new FairQueue({
      ...{ ...boundsOf({ type: '' }, 0), clock, onPlaceFree },
      hasPlace: () => options.hasPlace(this),
    });
  }

  configure({ metadata, spec }: PriorityLevelConfiguration, places: LevelPlaces): void {
    this.uid = metadata.uid ?? '';
    this.isExempt = spec.type === 'Exempt';
    this.places = places;
    this.queue.bound(boundsOf(spec, places.nominal));
  }

  /** No part is its own any more: who waits is served with what others lend. */
  retire(): void {
    this.isRetired = true;
    this.places = { nominal: 0, kept: 0, max: Infinity };
  }

  get isIdle(): boolean {
    return this.queue.placesTaken === 0 && this.queue.waiting === 0;
  }
}

/**
 * Each flow waits in a queue of its own, where upstream deals it a hand of several that it shares: a hand's length
 * bounds the flow, and all queues' lengths the level.
 */
function boundsOf({ limited }: PriorityLevelConfiguration['spec'], nominal: number): FairQueueBounds {
  const response = limited?.limitResponse;
  const {
    queues = 0,
    handSize = 0,
    queueLengthLimit = 0,
  } = (response?.type === 'Queue' && response.queuing) || {};
  const waitingMax = Math.min(queues * queueLengthLimit, limits.waitingRequestsMax);
  return {
    placesPerFlowMax: Math.max(1, Math.ceil(nominal * limits.flowPlacesPortion)),
    waitingMax,
    waitingPerFlowMax: Math.min(handSize * queueLengthLimit, waitingMax),
    waitMaxMs: periods.requestWaitMs,
  };
}
