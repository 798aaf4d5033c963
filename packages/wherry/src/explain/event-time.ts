import type { Event } from '@wherry/kubeapi';

const nanosecondsPerMs = 1_000_000n;
/** Between what an event's name and its first time say may lie what the second cuts off, and what it waited to be written. */
const nameToleranceMs = 2_000;

/** When something happened. */
export interface Moment {
  /** Since the epoch. */
  ms: number;
  /** False where the API keeps whole seconds alone: it was within the second that begins there. */
  isExact: boolean;
}

/** A time as the API keeps it in whole seconds. */
export const secondOf = (time: string): Moment => ({ ms: Date.parse(time), isExact: false });

/**
 * When an event was first seen. Kubelets and controllers name an event by the nanosecond in which it happened, `POD.HEX`; its
 * times are whole seconds, unless it is one of the newer kind.
 */
export function firstSeen({ metadata, firstTimestamp, eventTime }: Event): Moment | undefined {
  if (eventTime) return { ms: Date.parse(eventTime), isExact: true };
  const told = firstTimestamp ?? metadata.creationTimestamp;
  if (!told) return undefined;
  const second = secondOf(told);
  const [, hex] = /\.([0-9a-f]{14,16})$/.exec(metadata.name ?? '') ?? [];
  if (hex === undefined) return second;
  const ms = Number(BigInt(`0x${hex}`) / nanosecondsPerMs);
  return Math.abs(ms - second.ms) < nameToleranceMs ? { ms, isExact: true } : second;
}
