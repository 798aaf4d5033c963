/**
 * A count that is given as a number or as a share of `total` (`25%`), rounded up or down (apimachinery
 * GetScaledValueFromIntOrPercent). Throws `RangeError` on any other text.
 */
export function scaledCount(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined) throw new RangeError(`invalid value for IntOrString: "${value}"; use 3 or 25%`);
  const share = (Number(percent) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}
