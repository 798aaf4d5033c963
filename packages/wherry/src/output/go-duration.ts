const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A time as Go prints it: `500ms`, `5s`, `1m0s`, `1h0m0s`. */
export function goDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  if (durationMs < secondMs) return `${durationMs}ms`;
  const hours = Math.floor(durationMs / hourMs);
  const minutes = Math.floor((durationMs % hourMs) / minuteMs);
  const seconds = `${(durationMs % minuteMs) / secondMs}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}
