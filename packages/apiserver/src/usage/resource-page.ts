/** One reading of a container's or node's counters. */
export interface UsagePoint {
  cpuSeconds: number;
  memoryBytes: number;
  /** 0 where it is not told. */
  swapBytes: number;
  /** When it was measured, milliseconds since the epoch. */
  atMs: number;
  /** When it began; undefined where that is not told. */
  startedAtMs: number | undefined;
}

/** One reading of a kubelet's `/metrics/resource`. */
export interface NodeReading {
  node: UsagePoint | undefined;
  /** By `namespace/pod` and container. */
  pods: ReadonlyMap<string, ReadonlyMap<string, UsagePoint>>;
}

const line = /^(\w+)(?:\{([^}]*)\})? (\S+)(?: (\d+))?$/;
/** Names begin where none is under way: a long one is not tried again from each of its letters. */
const label = /(?<!\w)(\w+)="((?:[^"\\]|\\.)*)"/g;

type Part = keyof Pick<UsagePoint, 'cpuSeconds' | 'memoryBytes' | 'swapBytes' | 'startedAtMs'>;
const parts: ReadonlyMap<string, Part> = new Map([
  ['cpu_usage_seconds_total', 'cpuSeconds'],
  ['memory_working_set_bytes', 'memoryBytes'],
  ['swap_usage_bytes', 'swapBytes'],
  ['start_time_seconds', 'startedAtMs'],
]);

type Draft = Partial<UsagePoint>;

/**
 * Reads the page of a kubelet, ours or upstream's; what has no time of its own was measured at `readAtMs`. Lines that it does
 * not know are left out, and so is what is not whole.
 */
export function parseResourcePage(text: string, readAtMs: number): NodeReading {
  const node: Draft = {};
  const pods = new Map<string, Map<string, Draft>>();
  for (const row of text.split('\n')) {
    const [, name = '', labels = '', value = '', stamp] = line.exec(row) ?? [];
    const [, owner = '', measure = ''] = /^(node|container)_(.+)$/.exec(name) ?? [];
    const part = parts.get(measure);
    if (part === undefined || !Number.isFinite(Number(value))) continue;
    const draft = owner === 'node' ? node : draftOf(pods, labels);
    draft[part] = part === 'startedAtMs' ? Number(value) * 1_000 : Number(value);
    if (part === 'cpuSeconds') draft.atMs = stamp === undefined ? readAtMs : Number(stamp);
  }
  return {
    node: whole(node),
    pods: new Map([...pods].map(([pod, containers]) => [pod, wholeOnes(containers)])),
  };
}

function draftOf(pods: Map<string, Map<string, Draft>>, text: string): Draft {
  const labels = new Map([...text.matchAll(label)].map(([, name = '', value = '']) => [name, value]));
  const key = `${labels.get('namespace')}/${labels.get('pod')}`;
  const containers = pods.get(key) ?? new Map<string, Draft>();
  const name = labels.get('container') ?? '';
  const draft = containers.get(name) ?? {};
  pods.set(key, containers.set(name, draft));
  return draft;
}

function wholeOnes(drafts: ReadonlyMap<string, Draft>): Map<string, UsagePoint> {
  const points = new Map<string, UsagePoint>();
  for (const [name, draft] of drafts) {
    const point = whole(draft);
    if (point) points.set(name, point);
  }
  return points;
}

function whole({ cpuSeconds, memoryBytes, swapBytes = 0, atMs, startedAtMs }: Draft): UsagePoint | undefined {
  if (cpuSeconds === undefined || memoryBytes === undefined || atMs === undefined) return undefined;
  return { cpuSeconds, memoryBytes, swapBytes, atMs, startedAtMs };
}
