import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeFigures } from '../node-figures.ts';
import type { PodFigures } from '../pod-figures.ts';
import { nodeSummary } from './node-summary.ts';
import { type PodDisk, podSummary } from './pod-summary.ts';
import type { SystemContainers } from './system-containers.ts';

const time = '2026-01-01T00:00:00.000Z';

test('a pod’s summary of processors and memory alone tells of nothing else', () => {
  const io = { timestamp: 1n, psi: undefined };
  const cpu = { timestamp: 1n, usageCoreNanoSeconds: { value: 1 } };
  const container = { id: 'c', name: 'c', status: undefined, stats: { cpu, io } };
  const figures = {
    ...{ uid: 'u', name: 'p', namespace: 'd', pod: undefined, startedAtNs: undefined },
    ...{ stats: { linux: { cpu, io } }, containers: [container] },
  } as unknown as PodFigures;
  const disk: PodDisk = {
    ...{ node: undefined, images: undefined, figures: undefined },
    ...{ mounted: new Map(), logs: new Map() },
  };
  const partsOf = (given: PodDisk | undefined) => {
    const { containers, ...pod } = JSON.parse(JSON.stringify(podSummary(figures, time, given)));
    return [Object.keys(pod).sort(), Object.keys(containers[0]).sort()];
  };
  assert.deepEqual(partsOf(undefined), [
    ['cpu', 'podRef', 'startTime'],
    ['cpu', 'name', 'startTime'],
  ]);
  assert.deepEqual(partsOf(disk), [
    ['cpu', 'ephemeral-storage', 'io', 'podRef', 'process_stats', 'startTime', 'volume'],
    ['cpu', 'io', 'name', 'startTime'],
  ]);
});

test('the same summary of a node tells of processors, memory and swap', () => {
  const figures = {
    ...{ atMs: 0, cpuNs: 1, cpuNsPerSecond: 1, interfaces: [], processes: { running: 1, most: 2 } },
    memory: { totalBytes: 1, workingSetBytes: 1, swapTotalBytes: 0, swapUsageBytes: 0 },
  } as unknown as NodeFigures;
  const systemContainers = { read: () => [] } as unknown as SystemContainers;
  const partsOf = (onlyCpuAndMemory: boolean) =>
    Object.keys(
      nodeSummary({
        ...{ nodeName: 'n', bootedAtMs: 0, figures, systemContainers, onlyCpuAndMemory },
        ...{ filesystem: undefined, images: undefined, imageUsage: undefined },
      }),
    ).sort();
  const alone = ['cpu', 'memory', 'nodeName', 'startTime', 'swap', 'systemContainers'];
  assert.deepEqual(partsOf(true), alone);
  assert.deepEqual(partsOf(false), [...alone, 'fs', 'io', 'network', 'rlimit', 'runtime'].sort());
});
