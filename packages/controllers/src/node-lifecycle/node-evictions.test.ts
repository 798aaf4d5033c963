/** What a silent node costs its pods: the controller on a fake clock over nodes that take its patches. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WorkQueue } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { conflict, type Node, type Pod } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { usualNodeEvictionRates } from '../machinery/node-eviction-rates.ts';
import { usualNodeMonitorTimes } from '../machinery/node-monitor-times.ts';
import { NodeLifecycle } from './node-lifecycle.ts';

type Context = ConstructorParameters<typeof NodeLifecycle>[0];

class Scene {
  readonly clock = new FakeClock();
  readonly nodes = new Map<string, Node>();
  readonly pods = new Map<string, Pod>();
  readonly leases = new Map<string, object>();
  readonly events: string[] = [];
  readonly deleted: string[] = [];
  /** Nodes whose kubelet renews its lease. */
  readonly alive = new Set<string>();
  readonly queue: WorkQueue;
  #version = 1;

  constructor() {
    const handle = (objects: Map<string, object>) => ({ objects, hasSynced: true, on: () => {} });
    const cluster = {
      ...{ clock: this.clock, logger: silentLogger },
      ...{ nodeEvictionRates: usualNodeEvictionRates, nodeMonitorTimes: usualNodeMonitorTimes },
      client: {
        resource: ({ plural }: { plural: string }) => this.#resource(plural),
        // Events alone go this way.
        request: async ({ method, body }: { method: string; body: string }) => {
          const { reason, message } = JSON.parse(body) as { reason: string; message: string };
          if (method === 'POST') this.events.push(`${reason}: ${message}`);
        },
      },
    };
    let lifecycle: NodeLifecycle | undefined;
    this.queue = new WorkQueue({
      ...{ name: 'test', clock: this.clock, logger: silentLogger, concurrency: 1 },
      work: async (key) => {
        await lifecycle?.reconcile(key);
        if (key === '') this.queue.addAfter('', usualNodeMonitorTimes.periodMs);
      },
    });
    const informers = { nodes: handle(this.nodes), pods: handle(this.pods), leases: handle(this.leases) };
    lifecycle = new NodeLifecycle({ cluster, informers, queue: this.queue } as unknown as Context);
    this.queue.addAfter('', usualNodeMonitorTimes.periodMs);
  }

  #resource(plural: string) {
    return {
      get: async ({ name }: { name: string }) => this.leases.get(`kube-node-lease/${name}`),
      delete: async ({ name }: { name: string }) => {
        this.deleted.push(name);
        this.pods.delete(`default/${name}`);
      },
      patch: async ({ name, patch }: { name: string; patch: Node }) => {
        if (plural !== 'nodes') return;
        const node = this.nodes.get(name)!;
        if (patch.metadata?.resourceVersion !== node.metadata?.resourceVersion)
          throw conflict({ group: '', resource: 'nodes' }, name, 'changed');
        this.#put(name, {
          ...node,
          spec: { ...node.spec, ...patch.spec },
          status: patch.status ?? node.status,
        });
      },
    };
  }

  #put(name: string, node: Node): void {
    this.#version += 1;
    const next = { ...node, metadata: { ...node.metadata, resourceVersion: String(this.#version) } };
    this.nodes.set(name, next);
    this.queue.add(name);
  }

  /** A node whose kubelet says that it is ready, with a pod that bears nothing. */
  add(name: string): void {
    this.alive.add(name);
    const spec = { containers: [], nodeName: name };
    this.pods.set(`default/on-${name}`, {
      metadata: { name: `on-${name}`, namespace: 'default', uid: name },
      spec,
    });
    this.speak(name);
  }

  /** The kubelet says that it is ready. */
  speak(name: string): void {
    this.alive.add(name);
    const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: String(this.clock.nowMs()) }];
    const known = this.nodes.get(name) ?? { metadata: { name, uid: name }, spec: {} };
    this.#put(name, { ...known, status: { conditions } });
  }

  silence(...names: string[]): void {
    for (const name of names) this.alive.delete(name);
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      for (const name of this.alive)
        this.leases.set(`kube-node-lease/${name}`, { spec: { renewTime: String(this.clock.nowMs()) } });
      await this.clock.advanceAsync(1_000);
    }
  }

  taints(name: string): string[] {
    const { taints = [] } = this.nodes.get(name)?.spec ?? {};
    return taints.map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')}:${effect}`);
  }
}

describe('a silent node', () => {
  it('beside others loses its pods at once when its grace is over, and is told of', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b', 'c']) scene.add(name);
    await scene.pass(10);
    scene.silence('a');
    await scene.pass(49);
    assert.deepEqual([scene.taints('a'), scene.deleted], [[], []]);
    await scene.pass(10);
    assert.deepEqual(scene.taints('a'), ['unreachable:NoSchedule', 'unreachable:NoExecute']);
    assert.deepEqual(scene.deleted, ['on-a']);
    for (const event of [
      'RegisteredNode: Node a event: Registered Node a in Controller',
      'NodeNotReady: Node a status is now: NodeNotReady',
      'TaintManagerEviction: Marking for deletion Pod default/on-a',
    ])
      assert.ok(scene.events.includes(event), scene.events.join('\n'));
    scene.speak('a');
    await scene.pass(1);
    assert.deepEqual(scene.taints('a'), []);
    scene.nodes.delete('a');
    await scene.pass(6);
    assert.ok(scene.events.includes('RemovingNode: Node a event: Removing Node a from Controller'));
    await scene.queue.close();
  });

  it('that is the only one loses no pods, however long it is silent', async () => {
    const scene = new Scene();
    scene.add('a');
    await scene.pass(10);
    scene.silence('a');
    await scene.pass(1_000);
    assert.deepEqual([scene.taints('a'), scene.deleted], [['unreachable:NoSchedule'], []]);
    scene.speak('a');
    await scene.pass(2);
    assert.deepEqual(scene.taints('a'), []);
    await scene.queue.close();
  });

  it('loses its pods ten seconds after the one before it', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b', 'c', 'd', 'e']) scene.add(name);
    await scene.pass(10);
    scene.silence('a', 'b');
    await scene.pass(58);
    assert.deepEqual(scene.deleted, ['on-a']);
    await scene.pass(4);
    assert.deepEqual(scene.deleted, ['on-a']);
    await scene.pass(8);
    assert.deepEqual(scene.deleted, ['on-a', 'on-b']);
    await scene.queue.close();
  });

  it('gets its taint of NoExecute taken off when all others fall silent too, and keeps the pods that are left', async () => {
    const scene = new Scene();
    for (const name of ['a', 'b']) scene.add(name);
    const [pod] = scene.pods.values();
    const bears = {
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      tolerationSeconds: 300,
    } as const;
    pod!.spec!.tolerations = [{ ...bears, effect: 'NoExecute' }];
    await scene.pass(10);
    scene.silence('a');
    await scene.pass(100);
    assert.ok(scene.taints('a').includes('unreachable:NoExecute'));
    scene.silence('b');
    await scene.pass(1_000);
    assert.deepEqual(
      [scene.taints('a'), scene.taints('b')],
      [['unreachable:NoSchedule'], ['unreachable:NoSchedule']],
    );
    assert.deepEqual(scene.deleted, []);
    assert.ok(scene.events.includes('TaintManagerEviction: Cancelling deletion of Pod default/on-a'));
    scene.speak('b');
    await scene.pass(30);
    assert.deepEqual(scene.deleted, []);
    assert.ok(scene.taints('a').includes('unreachable:NoExecute'));
    await scene.pass(310);
    assert.deepEqual(scene.deleted, ['on-a']);
    await scene.queue.close();
  });
});

describe('a new node', () => {
  it('is rid of its taint as soon as it says that it is ready', async () => {
    const scene = new Scene();
    const taints = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
    scene.nodes.set('a', { metadata: { name: 'a', uid: 'a' }, spec: { taints } } as Node);
    scene.speak('a');
    await scene.clock.advanceAsync(0);
    assert.deepEqual(scene.taints('a'), []);
    await scene.queue.close();
  });
});
