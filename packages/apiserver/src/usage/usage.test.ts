import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { periods } from '../limits.ts';
import { parseResourcePage } from './resource-page.ts';
import { UsageMeter } from './usage-meter.ts';
import { usageBetween } from './usage-rates.ts';

const page = (cpuSeconds: number, atMs: number) => `# HELP node_cpu_usage_seconds_total Time.
# TYPE node_cpu_usage_seconds_total counter
node_cpu_usage_seconds_total ${cpuSeconds * 2} ${atMs}
node_memory_working_set_bytes 2.048e+03 ${atMs}
container_cpu_usage_seconds_total{container="main",namespace="n",pod="p"} ${cpuSeconds} ${atMs}
container_memory_working_set_bytes{container="main",namespace="n",pod="p"} 1024 ${atMs}
container_swap_usage_bytes{container="main",namespace="n",pod="p"} 4096 ${atMs}
container_start_time_seconds{container="main",namespace="n",pod="p"} 1
pod_cpu_usage_seconds_total{namespace="n",pod="p"} 9 ${atMs}
garbage {
`;

test('the page of a node takes time by its length alone', () => {
  const before = process.cpuUsage();
  const text = `container_cpu_usage_seconds_total{${'a'.repeat(1_000_000)}} 1`;
  assert.deepEqual(parseResourcePage(text, 0), {
    node: undefined,
    pods: new Map([['undefined/undefined', new Map()]]),
  });
  assert.ok(process.cpuUsage(before).user < 5_000_000);
});

describe('the usage of a node', () => {
  test('is the rate of processor time between two readings, of memory and swap at the second', () => {
    const [before, now] = [page(10, 20_000), page(15, 30_000)].map((text) => parseResourcePage(text, 0));
    const { node, pods } = usageBetween(before!, now!);
    assert.deepEqual(node, {
      cpuNanoCores: 1e9,
      memoryBytes: 2048,
      swapBytes: 0,
      atMs: 30_000,
      windowMs: 10_000,
    });
    const main = { cpuNanoCores: 0.5e9, memoryBytes: 1024, swapBytes: 4096, atMs: 30_000, windowMs: 10_000 };
    assert.deepEqual(pods, new Map([['n/p', new Map([['main', main]])]]));
  });

  test('counts a container that began since from its start, once that is ten seconds ago', () => {
    const point = { cpuSeconds: 6, memoryBytes: 1, swapBytes: 0, startedAtMs: 20_000 };
    const reading = (atMs: number) => ({
      node: undefined,
      pods: new Map([['n/p', new Map([['main', { ...point, atMs }]])]]),
    });
    const nothing = { node: undefined, pods: new Map() };
    assert.equal(usageBetween(nothing, reading(29_999)).pods.size, 0);
    const usage = usageBetween(nothing, reading(32_000)).pods.get('n/p')?.get('main');
    assert.deepEqual([usage?.cpuNanoCores, usage?.windowMs], [0.5e9, 12_000]);
  });

  test('leaves out a container whose time went backwards, and so its pod', () => {
    const [before, now] = [page(10, 20_000), page(4, 30_000)].map((text) => parseResourcePage(text, 0));
    assert.deepEqual(usageBetween(before!, now!), { node: undefined, pods: new Map() });
  });

  test('is nothing where a page says nothing whole', () => {
    assert.deepEqual(parseResourcePage('container_cpu_usage_seconds_total{container="a"} NaN\n', 0), {
      node: undefined,
      pods: new Map(),
    });
  });
});

describe('the meter of a cluster', () => {
  const meterOf = (clock: FakeClock, asked: string[]) =>
    new UsageMeter({
      clock,
      logger: silentLogger,
      nodeNames: () => ['up', 'down'],
      async fetchPage(name) {
        asked.push(name);
        if (name === 'down') throw new Error('no kubelet there');
        return page(clock.nowMs() / 1_000 / 4, clock.nowMs());
      },
    });

  const advanced = async <T>(clock: FakeClock, work: Promise<T>): Promise<T> => {
    let isDone = false;
    work.finally(() => (isDone = true)).catch(() => {});
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(100);
    }
    return work;
  };

  test('asks each kubelet twice after a rest, once while it is asked again and again, and not at all in between', async () => {
    const clock = new FakeClock({ nowMs: 1_000_000 });
    const asked: string[] = [];
    const meter = meterOf(clock, asked);
    const [usage] = await advanced(clock, Promise.all([meter.read(), meter.read()]));
    assert.equal(asked.length, 4);
    assert.equal(usage.get('down'), undefined);
    assert.equal(usage.get('up')?.pods.get('n/p')?.get('main')?.cpuNanoCores, 0.25e9);
    await meter.read();
    assert.equal(asked.length, 4);
    clock.advance(periods.usageAgeMs);
    const later = await advanced(clock, meter.read());
    assert.equal(asked.length, 6);
    assert.ok((later.get('up')?.node?.windowMs ?? 0) >= periods.usageAgeMs);
    clock.advance(periods.usageWindowMsMax + 1_000);
    await advanced(clock, meter.read());
    assert.equal(asked.length, 10);
  });
});
