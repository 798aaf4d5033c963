import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Node, Pod } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { usualNodeEvictionRates } from '../machinery/node-eviction-rates.ts';
import { usualNodeMonitorTimes } from '../machinery/node-monitor-times.ts';
import { NodeLifecycle, nodeLifecycle } from './node-lifecycle.ts';
import { unknownConditions } from './unknown-conditions.ts';

describe('a silent node', () => {
  it('loses what its kubelet said alone: conditions of others stay, and what was never told is unknown as well', () => {
    const node: Node = {
      metadata: { name: 'n', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: {},
      status: {
        conditions: [
          { type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: 'then' },
          { type: 'MemoryPressure', status: 'Unknown', lastTransitionTime: 'then' },
          { type: 'DiskPressure', status: 'False', lastTransitionTime: 'then' },
          { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' },
          { type: 'KernelDeadlock', status: 'False', reason: 'KernelHasNoDeadlock' },
        ],
      },
    };
    const told = unknownConditions(node, 'now').map(
      ({ type, status, reason = '', lastTransitionTime = '' }) =>
        [type, status, reason, lastTransitionTime].join(' '),
    );
    assert.deepEqual(told, [
      'Ready Unknown NodeStatusUnknown now',
      'MemoryPressure Unknown  then',
      'DiskPressure Unknown NodeStatusUnknown now',
      'NetworkUnavailable False RouteCreated ',
      'KernelDeadlock False KernelHasNoDeadlock ',
      'PIDPressure Unknown NodeStatusNeverUpdated now',
    ]);
  });
});

describe('the node life-cycle', () => {
  /** One node that last spoke before it was seen, and what is patched of it. */
  function start(serverLease?: object, nodeMonitorTimes = usualNodeMonitorTimes) {
    const clock = new FakeClock();
    const patched: string[] = [];
    const failures: (() => void)[] = [];
    let seePatch: (name: string) => unknown = () => {};
    const nodes = new Map([
      ['n', { metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    ]);
    const pods = new Map<string, object>();
    const handle = (objects: Map<string, object>) => ({
      ...{ objects, hasSynced: true },
      on: ({ failed }: { failed(): void }) => void failures.push(failed),
    });
    const resource = () => ({
      get: async () => serverLease,
      create: async (object: object) => object,
      patch: async ({ name, subresource, patch }: { name: string; subresource?: string; patch: Pod }) => {
        await seePatch(name);
        if (name === 'refused') throw new Error('a webhook says no');
        if (name === 'n') return void patched.push(subresource ?? 'spec');
        const { conditions = [] } = patch.status ?? {};
        patched.push(`${name} ${conditions.map(({ type, status }) => `${type} ${status}`).join()}`);
      },
    });
    const context = {
      cluster: {
        clock,
        client: { resource },
        logger: silentLogger,
        nodeEvictionRates: usualNodeEvictionRates,
        nodeMonitorTimes,
      },
      queue: { addAfter: () => {} },
      informers: { nodes: handle(nodes), pods: handle(pods), leases: handle(new Map()) },
    } as unknown as ConstructorParameters<typeof NodeLifecycle>[0];
    const lifecycle = new NodeLifecycle(context);
    const silent = async () => {
      await lifecycle.reconcile('');
      clock.advance(nodeMonitorTimes.graceMs + 1);
    };
    const outage = () => failures.forEach((failed) => void failed());
    const onPatch = (see: typeof seePatch) => {
      seePatch = see;
    };
    return { lifecycle, nodes, pods, patched, silent, outage, onPatch };
  }

  it('marks a node after the silence that it is told', async () => {
    const { lifecycle, patched, silent } = start(undefined, { ...usualNodeMonitorTimes, graceMs: 2_000 });
    await silent();
    await lifecycle.reconcile('');
    assert.ok(patched.includes('status'));
  });

  it('takes the taint off a ready node once all is listed, not a period later', async () => {
    const node = {
      metadata: { name: 'n', uid: 'u' },
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    };
    const listed = new Set(['nodes', 'pods']);
    const told: { added?(object: object): void; synced?(): void }[] = [];
    const informerOf = (plural: string, objects = new Map<string, object>()) => ({
      objects,
      get hasSynced() {
        return listed.has(plural);
      },
      on: (listener: (typeof told)[number]) => void told.push(listener),
      close: async () => {},
    });
    const informers = new Map([['nodes', informerOf('nodes', new Map([['n', node]]))]]);
    const patched: Node[] = [];
    const cluster = {
      ...{ clock: new FakeClock(), logger: silentLogger, concurrency: new Map() },
      ...{ nodeEvictionRates: usualNodeEvictionRates, nodeMonitorTimes: usualNodeMonitorTimes },
      client: { resource: () => ({ patch: async ({ patch }: { patch: Node }) => void patched.push(patch) }) },
      informers: {
        acquire: ({ type }: { type: { plural: string } }) =>
          informers.get(type.plural) ?? informerOf(type.plural),
      },
    } as unknown as Parameters<typeof nodeLifecycle.start>[0];
    const turns = async () => {
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    };
    const controller = nodeLifecycle.start(cluster);
    for (const { added } of told) added?.(node);
    await turns();
    assert.equal(patched.length, 0, 'leases are not listed');
    listed.add('leases');
    for (const { synced } of told) synced?.();
    await turns();
    assert.deepEqual(
      patched.map(({ spec }) => spec?.taints),
      [[]],
    );
    await controller.close();
  });

  it('marks a node that has been silent for its grace', async () => {
    const { lifecycle, patched, silent } = start();
    await silent();
    await lifecycle.reconcile('');
    assert.deepEqual(patched, ['status']);
  });

  it('says of the pods of a silent node that they are not ready, and of no others', async () => {
    const { lifecycle, pods, patched, silent } = start();
    const add = (name: string, nodeName: string, ready: 'True' | 'False', phase = 'Running') =>
      pods.set(`default/${name}`, {
        metadata: { name, namespace: 'default', uid: name },
        spec: { nodeName },
        status: { phase, conditions: [{ type: 'Ready', status: ready }] },
      });
    add('serves', 'n', 'True');
    add('broken', 'n', 'False');
    add('elsewhere', 'm', 'True');
    await silent();
    assert.deepEqual(patched, []);
    await lifecycle.reconcile('');
    assert.deepEqual(patched, ['status', 'serves Ready False']);
  });

  it('leaves the pods alone of a node that comes back while they are being marked', async () => {
    const { lifecycle, nodes, pods, patched, silent, onPatch } = start();
    for (const name of ['first', 'second'])
      pods.set(`default/${name}`, {
        metadata: { name, namespace: 'default', uid: name },
        spec: { nodeName: 'n' },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      });
    await silent();
    onPatch((name) => {
      if (name === 'first') nodes.set('n', { ...nodes.get('n')! });
    });
    await lifecycle.reconcile('');
    assert.deepEqual(patched, ['status', 'first Ready False']);
  });

  it('marks the pods of several silent nodes at once', async () => {
    const { lifecycle, nodes, pods, silent, onPatch } = start();
    const told = [...nodes.values()][0]!.status;
    let running = 0;
    let most = 0;
    onPatch(async (name) => {
      if (!name.startsWith('of-')) return;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    });
    for (let index = 0; index < 20; index++) {
      const name = `n${index}`;
      nodes.set(name, { metadata: { name }, status: told });
      pods.set(`default/of-${name}`, {
        metadata: { name: `of-${name}`, namespace: 'default', uid: name },
        spec: { nodeName: name },
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      });
    }
    await silent();
    await lifecycle.reconcile('');
    assert.equal(most, 8);
  });

  it('looks after every node when one of them can’t be written', async () => {
    const { lifecycle, nodes, patched, silent } = start();
    const told = [...nodes.values()][0]!.status;
    nodes.clear();
    for (const name of ['refused', 'n']) nodes.set(name, { metadata: { name }, status: told });
    await silent();
    await lifecycle.reconcile('');
    assert.deepEqual(patched, ['status']);
  });

  it('marks no node that could not speak, since the server was not there', async () => {
    const { lifecycle, patched, silent, outage } = start();
    await silent();
    outage();
    await lifecycle.reconcile('');
    assert.deepEqual(patched, []);
  });

  it('marks no node whose lease the server has and the watch has not shown yet', async () => {
    const { lifecycle, patched, silent } = start({ spec: { renewTime: 'now' } });
    await silent();
    await lifecycle.reconcile('');
    assert.deepEqual(patched, []);
  });

  it('remembers nothing of a node that is gone', async () => {
    const { lifecycle, nodes } = start();
    await lifecycle.reconcile('');
    assert.equal(lifecycle.remembered, 1);
    nodes.clear();
    await lifecycle.reconcile('');
    assert.equal(lifecycle.remembered, 0);
  });
});
