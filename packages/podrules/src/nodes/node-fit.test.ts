import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amountsOf } from '../amounts.ts';
import { portsConflict } from '../host-ports.ts';
import { tolerates } from '../tolerations.ts';
import { shortages } from './node-fit.ts';

const asking = (requests: Record<string, string>) => ({
  spec: { containers: [{ name: 'a', resources: { requests } }] },
});

describe('shortages', () => {
  it('counts cpu in thousandths and all else in whole units, each pod rounded up', () => {
    const allocatable = amountsOf({ cpu: '1', memory: '2', pods: '9' });
    const short = shortages(asking({ cpu: '0.5001', memory: '500m' }), {
      pods: [asking({ cpu: '0.5', memory: '1500m' })],
      allocatable,
    });
    assert.deepEqual(short, [
      { resource: 'cpu', requested: 501, used: 500, capacity: 1000 },
      { resource: 'memory', requested: 1, used: 2, capacity: 2 },
    ]);
  });

  it('asks a node that says nothing of a resource for none of it', () => {
    const allocatable = amountsOf({ pods: '0' });
    const short = shortages(asking({ 'example.com/gpu': '1', other: '1', cpu: '0' }), {
      pods: [],
      allocatable,
    });
    assert.deepEqual(
      short.map(({ resource }) => resource),
      ['pods', 'example.com/gpu'],
    );
  });
});

describe('portsConflict', () => {
  const taking = (hostIP: string | undefined, more: object = {}) => ({
    spec: { containers: [{ name: 'a', ports: [{ containerPort: 80, hostPort: 80, hostIP, ...more }] }] },
  });

  it('lets two addresses of a node have one port, but not all addresses and one of them', () => {
    assert.equal(portsConflict(taking('10.0.0.1'), [taking('10.0.0.2')]), false);
    assert.equal(portsConflict(taking('10.0.0.1'), [taking(undefined)]), true);
    assert.equal(portsConflict(taking('0.0.0.0'), [taking('10.0.0.1')]), true);
    assert.equal(portsConflict(taking(undefined, { protocol: 'UDP' }), [taking(undefined)]), false);
  });

  it('does not count the ports of an init container, which has ended by then', () => {
    const { containers } = taking(undefined).spec;
    const spec = { containers: [{ name: 'b' }], initContainers: containers };
    assert.equal(portsConflict({ spec }, [taking(undefined)]), false);
    const sidecars = containers.map((each) => ({ ...each, restartPolicy: 'Always' as const }));
    assert.equal(portsConflict({ spec: { ...spec, initContainers: sidecars } }, [taking(undefined)]), true);
  });
});

describe('tolerates', () => {
  const taint = { key: 'k', value: 'v', effect: 'NoSchedule' as const };
  it('takes what is left out as anything, and Equal as the operator', () => {
    assert.equal(tolerates({ operator: 'Exists' }, taint), true);
    assert.equal(tolerates({ key: 'k', value: 'v' }, taint), true);
    assert.equal(tolerates({ key: 'k' }, taint), false);
    assert.equal(tolerates({ key: 'k', operator: 'Exists', effect: 'NoExecute' }, taint), false);
    assert.equal(tolerates({ key: 'k', operator: 'Gt', value: '1' }, { ...taint, value: '2' }), false);
  });
});
