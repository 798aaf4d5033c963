/** The value below which `fraction` of the samples lie. */
export function percentile(samples: number[], fraction: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.floor(fraction * sorted.length));
  return sorted[index] ?? Number.NaN;
}

/** `p50 / p90 / min` in milliseconds. */
export function summary(samplesMs: number[]): string {
  const parts = [percentile(samplesMs, 0.5), percentile(samplesMs, 0.9), Math.min(...samplesMs)];
  return `${parts.map((value) => value.toFixed(1)).join(' / ')} ms`;
}

/** Runs `step` `count` times one after another and returns how long each took, in milliseconds. */
export async function timed(count: number, step: (index: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index++) {
    const before = performance.now();
    await step(index);
    samples.push(performance.now() - before);
  }
  return samples;
}

/** Throughput in MiB/s. */
export function mebibytesPerSecond(bytes: number, elapsedMs: number): number {
  return bytes / 1024 ** 2 / (elapsedMs / 1000);
}
