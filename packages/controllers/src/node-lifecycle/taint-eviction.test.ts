import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { Node, Pod, Toleration } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { TaintEviction, toleratedSeconds } from './taint-eviction.ts';

describe('toleratedSeconds', () => {
  const taints = [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' as const }];
  const pod = (tolerations: object[]) => ({ metadata: {}, spec: { containers: [], tolerations } });

  it('is 0 without a matching toleration', () => {
    assert.equal(toleratedSeconds(pod([]), taints), 0);
    assert.equal(toleratedSeconds(pod([{ key: 'other', operator: 'Exists' }]), taints), 0);
  });

  it('is the shortest of the matching tolerations, for ever when none has a limit', () => {
    const forever = { operator: 'Exists' };
    const limited = (tolerationSeconds: number) => ({
      key: 'node.kubernetes.io/unreachable',
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds,
    });
    assert.equal(toleratedSeconds(pod([forever]), taints), Number.POSITIVE_INFINITY);
    assert.equal(toleratedSeconds(pod([limited(300), forever, limited(20)]), taints), 20);
    assert.equal(toleratedSeconds(pod([limited(-5)]), taints), 0);
  });
});

/** An eviction over these pods, and what it deletes; events are not looked at. */
function start() {
  const clock = new FakeClock();
  const deleted: string[] = [];
  const objects = new Map<string, Pod>();
  const add = (name: string, tolerations: Toleration[]) =>
    objects.set(`default/${name}`, {
      metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
      spec: { containers: [], nodeName: 'n', tolerations },
    });
  const resource = () => ({
    create: async (object: object) => object,
    patch: async () => undefined,
    delete: async ({ name }: { name: string }) => {
      if (name === 'refused') throw new Error('a webhook says no');
      deleted.push(name);
      objects.delete(`default/${name}`);
    },
  });
  const parts = [{ clock, client: { resource }, logger: silentLogger }, { objects }];
  const eviction = new TaintEviction(...(parts as unknown as ConstructorParameters<typeof TaintEviction>));
  const look = async (...keys: string[]) => {
    const taints = keys.map((key) => ({ key, effect: 'NoExecute' as const }));
    const node: Node = { metadata: { name: 'n' }, spec: { taints } };
    await eviction.evict(node);
    return deleted.splice(0);
  };
  return { clock, add, look };
}

const bears = (key: string, tolerationSeconds?: number): Toleration => ({
  ...{ key, operator: 'Exists', effect: 'NoExecute' },
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

describe('the eviction of pods from tainted nodes', () => {
  it('gives a pod its whole time for a new taint, however long it has borne another one', async () => {
    const { clock, add, look } = start();
    add('p', [bears('dedicated'), bears('not-ready', 300)]);
    assert.deepEqual(await look('dedicated'), []);
    clock.advance(3_600_000);
    assert.deepEqual(await look('dedicated', 'not-ready'), []);
    clock.advance(299_000);
    assert.deepEqual(await look('dedicated', 'not-ready'), []);
    clock.advance(2_000);
    assert.deepEqual(await look('dedicated', 'not-ready'), ['p']);
  });

  it('gives a pod its whole time on a node that was tainted long before it came', async () => {
    const { clock, add, look } = start();
    await look('maintenance');
    clock.advance(3_600_000);
    add('late', [bears('maintenance', 60)]);
    add('bears-nothing', []);
    assert.deepEqual(await look('maintenance'), ['bears-nothing']);
    clock.advance(61_000);
    assert.deepEqual(await look('maintenance'), ['late']);
  });

  it('goes on with a pod’s time when a taint takes another one’s place, and begins anew when none was there', async () => {
    const { clock, add, look } = start();
    add('p', [bears('not-ready', 300), bears('unreachable', 300)]);
    await look('not-ready');
    clock.advance(200_000);
    await look('unreachable');
    await look();
    clock.advance(200_000);
    assert.deepEqual(await look('not-ready'), []);
    clock.advance(200_000);
    assert.deepEqual(await look('unreachable'), []);
    clock.advance(101_000);
    assert.deepEqual(await look('unreachable'), ['p']);
  });

  it('deletes the others when one can’t be deleted', async () => {
    const { add, look } = start();
    for (const name of ['refused', 'p']) add(name, []);
    assert.deepEqual(await look('maintenance'), ['p']);
  });
});
