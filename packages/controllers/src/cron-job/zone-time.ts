/** A moment as the clocks of a zone show it. */
export interface ZoneTime {
  year: number;
  /** From 1 on. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** From 0 on, which is Sunday. */
  weekday: number;
}

const dayMs = 86_400_000;
/** Looking them up is slow. */
const daysMax = 512;

/** Times of one zone. All are in whole seconds, as milliseconds since 1970. */
export class Zone {
  readonly #format: Intl.DateTimeFormat | undefined;
  /** Of the days of UTC through which the clocks stay as they are. */
  readonly #offsets = new Map<number, number>();

  /** Throws `RangeError` when this machine knows no zone of that name. */
  constructor(name: string) {
    const digits = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const time = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    const options = { timeZone: name, ...digits, ...time } as const;
    const format = new Intl.DateTimeFormat('en-US', options);
    this.#format = name === 'UTC' ? undefined : format;
  }

  /** By how much the clocks of the zone are ahead of UTC at a moment. */
  offsetMs(atMs: number): number {
    const day = Math.floor(atMs / dayMs);
    const known = this.#offsets.get(day);
    if (known !== undefined) return known;
    const [first, last] = [this.#offsetMs(day * dayMs), this.#offsetMs((day + 1) * dayMs)];
    if (first !== last) return this.#offsetMs(atMs);
    if (this.#offsets.size >= daysMax) this.#offsets.clear();
    this.#offsets.set(day, first);
    return first;
  }

  #offsetMs(atMs: number): number {
    if (!this.#format) return 0;
    const parts = new Map(this.#format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - atMs;
  }

  /** What the clocks show at a moment. */
  timeAt(atMs: number): ZoneTime {
    const local = new Date(atMs + this.offsetMs(atMs));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
      second: local.getUTCSeconds(),
      weekday: local.getUTCDay(),
    };
  }

  /**
   * When the clocks show that; days that the month does not have are of the next one. What they skip is taken for a time
   * before or after it, and what they show twice for one of the two, as by Go's `time.Date`.
   */
  momentOf({ year, month, day, hour, minute, second }: Omit<ZoneTime, 'weekday'>): number {
    const shownMs = Date.UTC(year, month - 1, day, hour, minute, second);
    const guessMs = this.offsetMs(shownMs);
    return guessMs === 0 ? shownMs : shownMs - this.offsetMs(shownMs - guessMs);
  }
}
