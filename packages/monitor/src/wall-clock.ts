/** How far the fine clock may be from the machine's before it is set again: the machine's own has whole milliseconds. */
const toleranceMs = 2;

let offsetMs = performance.timeOrigin;

/** Wall-clock milliseconds since the epoch with microseconds behind the point; follows the machine's clock when it is set. */
export function wallClockMs(): number {
  const fineMs = offsetMs + performance.now();
  const machineMs = Date.now();
  if (Math.abs(fineMs - machineMs) <= toleranceMs) return fineMs;
  offsetMs = machineMs - performance.now();
  return machineMs;
}
