import type { CronFields } from '@wherry/kubeapi/objects';
import type { Zone, ZoneTime } from './zone-time.ts';

const yearsMax = 5;
const [minuteMs, hourMs] = [60_000, 3_600_000];
/** Far more than five years take; upstream goes round in circles where a zone has left out a day. */
const roundsMax = 10_000;

/**
 * The first time after a moment, in milliseconds since 1970, at which the clocks of a zone show what the fields say;
 * infinite when there is none for five years. It goes through months, days, hours and minutes as upstream does
 * (robfig/cron, SpecSchedule.Next), so that the same comes of an hour that a clock skips or shows twice: a time in a skipped
 * hour is left out where hours are named, and one in a repeated hour comes twice.
 */
export function nextTimeMs(fields: CronFields, zone: Zone, afterMs: number): number {
  const search = new Search(zone, Math.floor(afterMs / 1000) * 1000 + 1000);
  const lastYear = search.shown.year + yearsMax;
  for (let round = 0; round < roundsMax && search.shown.year <= lastYear; round += 1)
    if (isFound(fields, search)) return search.atMs;
  return Number.POSITIVE_INFINITY;
}

/** A place in time that moves on; the first move sets what is smaller than its step to its beginning. */
class Search {
  readonly zone: Zone;
  atMs: number;
  shown: ZoneTime;
  #hasMoved = false;

  constructor(zone: Zone, atMs: number) {
    this.zone = zone;
    this.atMs = atMs;
    this.shown = zone.timeAt(atMs);
  }

  moveTo(atMs: number): void {
    this.atMs = atMs;
    this.shown = this.zone.timeAt(atMs);
  }

  /** Before the first step. */
  begin(startMs: () => number): void {
    if (!this.#hasMoved) this.moveTo(startMs());
    this.#hasMoved = true;
  }

  /** When the clocks show something else of what they show now. */
  when(more: Partial<ZoneTime>): number {
    return this.zone.momentOf({ ...this.shown, ...more });
  }
}

const midnight = { hour: 0, minute: 0, second: 0 };

/** Moves on to the first time that fits, or as far as the end of a year, a month, a day, an hour or a minute. */
function isFound(fields: CronFields, search: Search): boolean {
  while (!fields.months.has(search.shown.month)) {
    search.begin(() => search.when({ day: 1, ...midnight }));
    search.moveTo(search.when({ month: search.shown.month + 1 }));
    if (search.shown.month === 1) return false;
  }
  while (!isDay(fields, search.shown)) {
    search.begin(() => search.when(midnight));
    search.moveTo(search.when({ day: search.shown.day + 1 }));
    const { hour } = search.shown;
    // A day may begin at one o'clock, and a step of one may end before midnight.
    if (hour !== 0) search.moveTo(search.atMs + (hour > 12 ? 24 - hour : -hour) * hourMs);
    if (search.shown.day === 1) return false;
  }
  while (!fields.hours.has(search.shown.hour)) {
    search.begin(() => search.when({ minute: 0, second: 0 }));
    search.moveTo(search.atMs + hourMs);
    if (search.shown.hour === 0) return false;
  }
  while (!fields.minutes.has(search.shown.minute)) {
    search.begin(() => Math.floor(search.atMs / minuteMs) * minuteMs);
    search.moveTo(search.atMs + minuteMs);
    if (search.shown.minute === 0) return false;
  }
  const { second } = search.shown;
  if (second === 0) return true;
  search.begin(() => search.atMs);
  search.moveTo(search.atMs + (60 - second) * 1000);
  return false;
}

function isDay({ days, weekdays, needsBothDays }: CronFields, { day, weekday }: ZoneTime): boolean {
  const [isOne, isOther] = [days.has(day), weekdays.has(weekday)];
  return needsBothDays ? isOne && isOther : isOne || isOther;
}
