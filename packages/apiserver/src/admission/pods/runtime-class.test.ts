import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { TestServer } from '../../../test/test-server.ts';
import { mergeTolerations } from './merge-tolerations.ts';

const pods = '/api/v1/namespaces/default/pods';
const classes = '/apis/node.k8s.io/v1/runtimeclasses';

describe('a pod’s runtime class', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const metadata = { name: 'default' };
    await server.request('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata } });
    const sandboxed = {
      metadata: { name: 'sandboxed' },
      handler: 'sandbox',
      overhead: { podFixed: { cpu: '100m', memory: '64Mi' } },
      scheduling: { nodeSelector: { kind: 'vm' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    };
    assert.equal((await server.request('POST', classes, { body: sandboxed })).status, 201);
    const plain = { metadata: { name: 'plain' }, handler: 'runc' };
    assert.equal((await server.request('POST', classes, { body: plain })).status, 201);
  });
  after(() => server.close());

  const post = (name: string, spec: object) =>
    server.request('POST', pods, {
      body: { metadata: { name }, spec: { containers: [{ name: 'main', image: 'x' }], ...spec } },
    });
  const refused = async (spec: object, why: string) => {
    const { status, body } = await post('refused', spec);
    assert.deepEqual([status, body.message], [403, `pods "refused" is forbidden: ${why}`]);
  };

  it('must be there', async () => {
    await refused({ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found');
    assert.equal((await post('plain', { runtimeClassName: 'plain' })).status, 201);
  });

  it('gives the pod its overhead, node selector and tolerations', async () => {
    const { status, body } = await post('a', {
      runtimeClassName: 'sandboxed',
      nodeSelector: { disk: 'fast' },
      tolerations: [{ key: 'vm', operator: 'Exists', effect: 'NoSchedule' }],
    });
    assert.equal(status, 201);
    const { spec } = body as Pod;
    assert.deepEqual(spec?.overhead, { cpu: '100m', memory: '64Mi' });
    assert.deepEqual(spec?.nodeSelector, { disk: 'fast', kind: 'vm' });
    const keys = spec?.tolerations?.map(({ key, effect }) => `${key}:${effect ?? ''}`);
    assert.deepEqual(keys, [
      ...['node.kubernetes.io/not-ready:NoExecute', 'node.kubernetes.io/unreachable:NoExecute'],
      'vm:',
    ]);
  });

  it('goes before what the pod says of them', async () => {
    const runtimeClassName = 'sandboxed';
    const why = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
    await refused({ runtimeClassName, overhead: { cpu: '1' } }, why);
    const same = await post('b', { runtimeClassName, overhead: { cpu: '0.1', memory: '65536Ki' } });
    assert.equal(same.status, 201, 'the same amounts in other words');
    const without = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
    for (const named of [{}, { runtimeClassName: 'plain' }]) {
      await refused({ ...named, overhead: { cpu: '1' } }, without);
    }
    await refused(
      { runtimeClassName, nodeSelector: { kind: 'metal' } },
      'conflict: runtimeClass.scheduling.nodeSelector[kind] = vm; pod.spec.nodeSelector[kind] = metal',
    );
  });
});

describe('two lists of tolerations', () => {
  const all = { operator: 'Exists' } as const;
  const one = { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute' } as const;

  it('become one without what is covered, and with the first of equal ones', () => {
    assert.deepEqual(mergeTolerations([one], [all]), [all]);
    assert.deepEqual(mergeTolerations([all], [one]), [all]);
    assert.deepEqual(mergeTolerations([one], [{ ...one }]), [one]);
    const other = { ...one, value: 'c' };
    assert.deepEqual(mergeTolerations([one], [other]), [one, other]);
  });

  it('keep a longer stay beside a shorter one', () => {
    const short = { ...one, tolerationSeconds: 5 };
    const long = { ...one, tolerationSeconds: 50 };
    assert.deepEqual(mergeTolerations([short], [long]), [long]);
    assert.deepEqual(mergeTolerations([short], [one]), [one]);
    assert.deepEqual(mergeTolerations([one], [{ ...one, effect: 'NoSchedule' }]).length, 2);
  });
});
