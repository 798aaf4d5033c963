import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, Taint } from '@wherry/kubeapi';
import { labelsToMend } from './node-labels.ts';
import { changedTaints, evictingTaints, keepingTaints } from './node-taints.ts';

const nodeOf = (ready: string | undefined, taints: Taint[] = [], more: object[] = []): Node =>
  ({
    metadata: {},
    spec: { taints },
    status: { conditions: [...(ready ? [{ type: 'Ready', status: ready }] : []), ...more] },
  }) as Node;
const textOf = ({ key, effect }: Taint) => `${key.replace('node.kubernetes.io/', '')}:${effect}`;
const own = (key: string, effect: string): Taint => ({ key: `node.kubernetes.io/${key}`, effect }) as Taint;

describe('the taints of a node', () => {
  it('keep new pods off by its Ready condition, by cordon and by what it is short of', () => {
    const of = (node: Node) => keepingTaints(node).map(textOf);
    assert.deepEqual(of(nodeOf('True')), []);
    assert.deepEqual(of(nodeOf('False')), ['not-ready:NoSchedule']);
    assert.deepEqual(of(nodeOf(undefined)), ['not-ready:NoSchedule']);
    assert.deepEqual(of(nodeOf('Unknown')), ['unreachable:NoSchedule']);
    const short = [
      { type: 'MemoryPressure', status: 'False' },
      { type: 'DiskPressure', status: 'True' },
      { type: 'PIDPressure', status: 'True' },
    ];
    const cordoned = { ...nodeOf('True', [], short), spec: { unschedulable: true } };
    assert.deepEqual(of(cordoned), [
      'disk-pressure:NoSchedule',
      'pid-pressure:NoSchedule',
      'unschedulable:NoSchedule',
    ]);
  });

  it('let it lose its pods only when it is due, or had such a taint already, and never both', () => {
    const of = (node: Node, isDue = false) => evictingTaints(node, isDue).map(textOf);
    assert.deepEqual(of(nodeOf('False')), []);
    assert.deepEqual(of(nodeOf('False'), true), ['not-ready:NoExecute']);
    assert.deepEqual(of(nodeOf('Unknown', [own('not-ready', 'NoExecute')])), ['unreachable:NoExecute']);
    assert.deepEqual(of(nodeOf('True', [own('not-ready', 'NoExecute')]), true), []);
    assert.deepEqual(of(nodeOf(undefined), true), []);
  });

  it('of others stay, also those of the same key with another effect, and a new one says since when', () => {
    const mine: Taint = { key: 'dedicated', effect: 'NoExecute' };
    const theirs = [own('memory-pressure', 'NoExecute'), own('not-ready', 'PreferNoSchedule')];
    const node = nodeOf('Unknown', [mine, ...theirs, own('not-ready', 'NoSchedule')]);
    const wanted = [own('unreachable', 'NoSchedule'), own('unreachable', 'NoExecute')];
    assert.deepEqual(changedTaints(node, wanted, 'now'), [
      mine,
      ...theirs,
      { ...own('unreachable', 'NoSchedule'), timeAdded: 'now' },
      { ...own('unreachable', 'NoExecute'), timeAdded: 'now' },
    ]);
    assert.equal(changedTaints(nodeOf('True', [mine]), [], 'now'), undefined);
  });
});

it('the older labels of a node’s system say what the newer ones say', () => {
  const mended = (labels: Record<string, string>) =>
    labelsToMend({ ...nodeOf('True'), metadata: { labels } });
  const [os, arch] = ['kubernetes.io/os', 'kubernetes.io/arch'];
  assert.deepEqual(mended({ [os]: 'linux', [`beta.${os}`]: 'windows', [arch]: 'arm64' }), {
    [`beta.${os}`]: 'linux',
    [`beta.${arch}`]: 'arm64',
  });
  assert.equal(mended({ [os]: 'linux', [`beta.${os}`]: 'linux', [`beta.${arch}`]: 'arm64' }), undefined);
  assert.equal(mended({}), undefined);
});
