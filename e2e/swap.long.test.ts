/** Swap that containers get with `LimitedSwap`, on a kernel of cgroup v2 whose machine has some: compressed memory here (zram). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, podOf, TestNode } from './node.ts';
import { stretched } from './slowness.ts';

const control = '/sys/class/zram-control';
const why = !existsSync('/sys/fs/cgroup/cgroup.controllers')
  ? 'swap is given out on cgroup v2 alone'
  : !existsSync(control) && 'needs the kernel module zram: modprobe zram';
const mebibyte = 1 << 20;
const kubectlMs = 300_000;
/** Twice the memory, so that what a small container may swap is more than its limit: nothing is taken before it is used. */
const swapSizeBytes = 2 * totalmem();

describe('a node with swap', { skip: why, timeout: stretched(600_000) }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-swap-'));
  let node: TestNode;
  let device: number | undefined;
  /** Of all swap of this machine, which may have had some. */
  let allBytes = 0;

  before(async () => {
    device = Number(readFileSync(join(control, 'hot_add'), 'utf8'));
    writeFileSync(`/sys/block/zram${device}/disksize`, String(swapSizeBytes));
    execFileSync('mkswap', [`/dev/zram${device}`]);
    execFileSync('swapon', [`/dev/zram${device}`]);
    const meminfo = readFileSync('/proc/meminfo', 'utf8');
    allBytes = 1024 * Number(/^SwapTotal:\s+(\d+) kB$/m.exec(meminfo)?.[1]);
    const config = join(folder, 'node.yaml');
    const kubelet = { memorySwap: { swapBehavior: 'LimitedSwap' } };
    writeFileSync(config, JSON.stringify({ apiVersion: 'wherry/v1alpha1', kind: 'Node', kubelet }));
    node = await TestNode.start('swap', ['--config', config]);
  });

  after(async () => {
    await node?.remove();
    if (device !== undefined) {
      execFileSync('swapoff', [`/dev/zram${device}`]);
      writeFileSync(join(control, 'hot_remove'), String(device));
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const kubectl = (...words: string[]) => node.kubectlOk(words, { timeoutMs: kubectlMs });
  const file = async (pod: string, name: string) =>
    (await kubectl('exec', pod, '--', 'cat', `/sys/fs/cgroup/memory.swap.${name}`)).trim();
  const page = async (path: string) => {
    const name = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}')).trim();
    return kubectl('get', '--raw', `/api/v1/nodes/${name}/proxy/${path}`);
  };
  /** What the kernel makes of so many bytes: whole pages. */
  const paged = (bytes: number) => bytes - (bytes % 4096);
  const requestBytes = 40 * mebibyte;

  test('says how much of it there is', async () => {
    const path = 'jsonpath={.items[0].status.nodeInfo.swap.capacity}';
    assert.equal(await kubectl('get', 'nodes', '-o', path), String(allBytes));
  });

  test('lets a container swap the part of it that the container asks for of the memory, and others nothing', async () => {
    const share = paged(Math.floor((requestBytes / totalmem()) * allBytes));
    const all = { cpu: '50m', memory: '32Mi' };
    await node.apply(
      podOf('swaps', {
        resources: { requests: { memory: '40Mi' }, limits: { memory: '48Mi' } },
        // It holds what it read until somebody takes it, which nobody does.
        command: ['sh', '-c', 'dd if=/dev/zero bs=64M count=1 | sleep 100000'],
      }),
      podOf('unlimited', { resources: { requests: { memory: '20Mi' } } }),
      podOf('guaranteed', { resources: { requests: all, limits: all } }),
      podOf('besteffort'),
      podOf('equal', { resources: { requests: { memory: '32Mi' }, limits: { memory: '32Mi' } } }),
    );
    assert.equal(await file('swaps', 'max'), String(share));
    const half = paged(Math.floor((requestBytes / 2 / totalmem()) * allBytes));
    assert.equal(await file('unlimited', 'max'), String(half));
    for (const pod of ['guaranteed', 'besteffort', 'equal']) assert.equal(await file(pod, 'max'), '0', pod);
  });

  test('keeps one alive that takes more memory than it may have, where another is killed', async () => {
    await eventually(
      'swap in use',
      async () => Number(await file('swaps', 'current')) > 8 * mebibyte,
      60_000,
    );
    const resources = { limits: { memory: '48Mi' } };
    const command = ['sh', '-c', 'dd if=/dev/zero of=/dev/null bs=64M count=1'];
    const killed = podOf('killed', { resources, command }, { restartPolicy: 'Never' });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(killed), timeoutMs: kubectlMs });
    const terminated = 'jsonpath={.status.containerStatuses[0].state.terminated.reason}';
    const reason = await eventually(
      'the end of the other',
      async () => (await kubectl('get', 'pod', 'killed', '-o', terminated)) || undefined,
      60_000,
    );
    assert.equal(reason, 'OOMKilled');
    assert.equal(
      await kubectl('get', 'pod', 'swaps', '-o', 'jsonpath={.status.containerStatuses[0].restartCount}'),
      '0',
    );
  });

  test('tells in its figures what a container swaps and may yet', async () => {
    interface Swap {
      swapAvailableBytes: number;
      swapUsageBytes: number;
    }
    const summary = JSON.parse(await page('stats/summary')) as {
      node: { swap: Swap };
      pods: { podRef: { name: string }; swap: Swap; containers: { swap: Swap }[] }[];
    };
    const limit = Number(await file('swaps', 'max'));
    const told = summary.pods.find(({ podRef }) => podRef.name === 'swaps');
    for (const swap of [told?.containers[0]?.swap, told?.swap]) {
      assert.ok(swap !== undefined && swap.swapUsageBytes > 8 * mebibyte, JSON.stringify(told));
      assert.equal(swap.swapUsageBytes + swap.swapAvailableBytes, limit);
    }
    const { swapAvailableBytes, swapUsageBytes } = summary.node.swap;
    assert.ok(swapUsageBytes > 8 * mebibyte);
    assert.equal(swapAvailableBytes + swapUsageBytes, allBytes);
    const metrics = await page('metrics/resource');
    const sample = /^container_swap_limit_bytes\{[^}]*pod="swaps"[^}]*\} (\S+)/m.exec(metrics);
    assert.equal(Number(sample?.[1]), limit);
  });
});
