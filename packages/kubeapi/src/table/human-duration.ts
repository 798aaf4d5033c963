/** Ages as kubectl prints them: `34s`, `5m10s`, `3h`, `2d4h`, `1y30d` (apimachinery pkg/util/duration). */

/** A duration in at most two units, the coarser the longer it is. */
export function humanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return pair(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

const pair = (large: number, largeUnit: string, small: number, smallUnit: string) =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;

/** The time since an API timestamp; `<unknown>` when there is none. */
export function age(timestamp: string | undefined, nowMs: number): string {
  return timestamp ? humanDuration(nowMs - Date.parse(timestamp)) : '<unknown>';
}
