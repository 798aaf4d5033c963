import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { container, pod } from '../../../test/builders.ts';
import { evictionWords } from './eviction-message.ts';
import type { ContainerUsage, PodUsage } from './pod-usage.ts';
import { type RankFacts, rankPods } from './rank-pods.ts';
import { hasStorageLimits, storageExcess } from './storage-limits.ts';

const mebibyte = 2 ** 20;
const nothing = { bytes: 0, inodes: 0 };

const usage = (more: Partial<PodUsage> = {}): PodUsage => ({
  memoryBytes: 0,
  processes: 1,
  containers: [],
  volumes: new Map(),
  ownFiles: nothing,
  ...more,
});
const used = (name: string, more: Partial<ContainerUsage> = {}): ContainerUsage => ({
  name,
  memoryBytes: 0,
  layer: nothing,
  logs: nothing,
  ...more,
});
const megabytes = (count: number) => ({ bytes: count * mebibyte, inodes: count });

/** A pod that asks for `requests` and has `priority`; its name is its UID. */
function asking(name: string, requests: Record<string, string>, priority = 0) {
  const containers = [container('a', { resources: { requests } })];
  return pod({ containers, priority }, { name, uid: name });
}

const order = (pods: ReturnType<typeof asking>[], facts: RankFacts) =>
  rankPods(pods, facts).map(({ metadata }) => metadata.name);

describe('rankPods', () => {
  const memoryOf = (sizes: Record<string, number>): RankFacts => ({
    resource: 'memory',
    parts: [],
    usageOf: (uid) => {
      const size = sizes[uid];
      return size === undefined ? undefined : usage({ memoryBytes: size * mebibyte });
    },
  });

  it('puts pods over their request first, then low priority, then those furthest over', () => {
    const pods = [
      asking('within', { memory: '200Mi' }, -5),
      asking('over-important', { memory: '10Mi' }, 100),
      asking('over-little', { memory: '50Mi' }),
      asking('over-much', {}),
    ];
    const facts = memoryOf({ within: 150, 'over-important': 300, 'over-little': 60, 'over-much': 55 });
    assert.deepEqual(order(pods, facts), ['over-much', 'over-little', 'over-important', 'within']);
  });

  it('puts a pod of which nothing is known before all others', () => {
    const pods = [asking('over', {}), asking('unknown', {}, 1_000)];
    assert.deepEqual(order(pods, memoryOf({ over: 10 })), ['unknown', 'over']);
  });

  it('looks at priority and number alone for processes', () => {
    const counts: Record<string, number> = { many: 50, few: 2, important: 500 };
    const facts: RankFacts = {
      resource: 'pids',
      parts: [],
      usageOf: (uid) => usage({ processes: counts[uid] ?? 0 }),
    };
    const pods = [asking('important', {}, 10), asking('few', {}), asking('many', {})];
    assert.deepEqual(order(pods, facts), ['many', 'few', 'important']);
  });

  it('counts of the disk only what lies on the file system that is short', () => {
    const usages: Record<string, PodUsage> = {
      logs: usage({ containers: [used('a', { logs: megabytes(10) })] }),
      layer: usage({ containers: [used('a', { layer: megabytes(20) })] }),
      volume: usage({ volumes: new Map([['v', megabytes(5)]]) }),
    };
    const pods = Object.keys(usages).map((name) => asking(name, {}));
    const facts = (parts: RankFacts['parts'], resource: RankFacts['resource'] = 'ephemeral-storage') => ({
      resource,
      parts,
      usageOf: (uid: string) => usages[uid],
    });
    assert.deepEqual(order(pods, facts(['layers', 'logs', 'volumes'])), ['layer', 'logs', 'volume']);
    assert.deepEqual(order(pods, facts(['logs', 'volumes'])), ['logs', 'volume', 'layer']);
    assert.deepEqual(order(pods, facts(['layers'], 'inodes'))[0], 'layer');
  });
});

describe('evictionWords', () => {
  it('name the resource, the threshold, what is left and the containers over their request', () => {
    const one = container('one', { resources: { requests: { memory: '10Mi' } } });
    const two = container('two', { resources: { requests: { memory: '1Gi' } } });
    const { message, annotations } = evictionWords({
      pod: pod({ containers: [one, two] }),
      resource: 'memory',
      thresholdAmount: 100 * mebibyte,
      available: 50 * mebibyte,
      usage: usage({
        containers: [used('one', { memoryBytes: 20 * mebibyte }), used('two', { memoryBytes: mebibyte })],
      }),
    });
    assert.equal(
      message,
      'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ' +
        'Container one was using 20Mi, request is 10Mi, has larger consumption of memory. ',
    );
    assert.deepEqual(annotations, {
      offending_containers: 'one',
      offending_containers_usage: '20Mi',
      starved_resource: 'memory',
    });
  });

  it('name a pod that asked for memory as a whole', () => {
    const { annotations } = evictionWords({
      pod: pod({ containers: [container('a')], resources: { requests: { memory: '1Mi' } } }),
      resource: 'memory',
      thresholdAmount: 1,
      available: 0,
      usage: usage({ memoryBytes: 2 * mebibyte }),
    });
    assert.equal(annotations['offending_pod'], 'p');
    assert.equal(annotations['offending_pod_usage'], '2Mi');
  });
});

describe('storageExcess', () => {
  const whole = { hasImageFilesystem: false };
  const limits = { limits: { 'ephemeral-storage': '10Mi' } };

  it('finds an emptyDir over its size', () => {
    const volumes = [{ name: 'scratch', emptyDir: { sizeLimit: '4Mi' } }];
    const limited = pod({ containers: [container('a')], volumes });
    assert.ok(hasStorageLimits(limited));
    assert.equal(
      storageExcess(limited, usage({ volumes: new Map([['scratch', megabytes(4)]]) }), whole),
      undefined,
    );
    assert.deepEqual(
      storageExcess(limited, usage({ volumes: new Map([['scratch', megabytes(5)]]) }), whole),
      {
        signal: 'emptydirfs.limit',
        message: 'Usage of EmptyDir volume "scratch" exceeds the limit "4Mi". ',
      },
    );
  });

  it('finds a pod over what its containers may have together, volumes counted in', () => {
    const limited = pod({
      containers: [container('a', { resources: limits }), container('b', { resources: limits })],
      volumes: [{ name: 'v', emptyDir: {} }],
    });
    const containers = [used('a', { layer: megabytes(9) }), used('b', { logs: megabytes(9) })];
    assert.equal(storageExcess(limited, usage({ containers }), whole), undefined);
    const excess = storageExcess(
      limited,
      usage({ containers, volumes: new Map([['v', megabytes(3)]]) }),
      whole,
    );
    assert.equal(excess?.signal, 'ephemeralpodfs.limit');
  });

  it('finds a container over its own limit, its own files only where they lie on the same disk', () => {
    const limited = pod({ containers: [container('a', { resources: limits }), container('b')] });
    const big = pod({
      containers: [
        container('a', { resources: limits }),
        container('b', { resources: { limits: { 'ephemeral-storage': '1Gi' } } }),
      ],
    });
    const layer = usage({ containers: [used('a', { layer: megabytes(11) })] });
    assert.equal(storageExcess(big, layer, whole)?.signal, 'ephemeralcontainerfs.limit');
    assert.equal(storageExcess(big, layer, { hasImageFilesystem: true }), undefined);
    assert.equal(storageExcess(limited, layer, whole)?.signal, 'ephemeralpodfs.limit');
  });

  it('has nothing to say of a pod without limits', () => {
    assert.equal(hasStorageLimits(pod({ containers: [container('a')] })), false);
  });
});
