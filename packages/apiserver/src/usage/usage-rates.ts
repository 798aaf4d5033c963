import type { NodeReading, UsagePoint } from './resource-page.ts';

/** What something takes: of processors over a while, of memory and swap at its end. */
export interface Usage {
  cpuNanoCores: number;
  memoryBytes: number;
  swapBytes: number;
  atMs: number;
  windowMs: number;
}

/** What one node and its pods take. */
export interface NodeUsage {
  node: Usage | undefined;
  /** By `namespace/pod` and container. A pod of which a container could not be told is left out. */
  pods: ReadonlyMap<string, ReadonlyMap<string, Usage>>;
}

/** A container that is younger than the reading before is measured from its start, once it is this old. */
const startWindowMsMin = 10_000;
const nanoCoresPerCore = 1e9;

/** The rates between two readings of a node. */
export function usageBetween(before: NodeReading, now: NodeReading): NodeUsage {
  const pods = new Map<string, Map<string, Usage>>();
  for (const [pod, containers] of now.pods) {
    const earlier = before.pods.get(pod);
    const usages = new Map<string, Usage>();
    for (const [name, point] of containers) {
      const usage = usageOf(earlier?.get(name), point);
      if (usage) usages.set(name, usage);
    }
    if (usages.size === containers.size) pods.set(pod, usages);
  }
  return { node: now.node && usageOf(before.node, now.node), pods };
}

function usageOf(before: UsagePoint | undefined, now: UsagePoint): Usage | undefined {
  const start = baseOf(before, now);
  if (!start) return undefined;
  const windowMs = now.atMs - start.atMs;
  const cpuSeconds = now.cpuSeconds - start.cpuSeconds;
  if (windowMs <= 0 || cpuSeconds < 0) return undefined;
  const cpuNanoCores = Math.round((cpuSeconds / (windowMs / 1_000)) * nanoCoresPerCore);
  const { memoryBytes, swapBytes, atMs } = now;
  return { cpuNanoCores, memoryBytes, swapBytes, atMs, windowMs };
}

/** Where the time of `now` is counted from: the reading before, or the start of a container that began after it. */
function baseOf(before: UsagePoint | undefined, now: UsagePoint) {
  const { startedAtMs } = now;
  const isSame = before && (startedAtMs === undefined || startedAtMs <= before.atMs);
  if (isSame) return before;
  const isOldEnough = startedAtMs !== undefined && now.atMs - startedAtMs >= startWindowMsMin;
  return isOldEnough ? { cpuSeconds: 0, atMs: startedAtMs } : undefined;
}
