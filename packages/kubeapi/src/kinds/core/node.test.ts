import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joinFieldErrors } from '../../status/field-error.ts';
import { validateCreate, validateUpdate } from '../validate.ts';

const violations = (declaredFeatures: string[]) =>
  joinFieldErrors(
    validateCreate(
      { group: '', version: 'v1', kind: 'Node' },
      { metadata: { name: 'a' }, spec: {}, status: { declaredFeatures } },
    ),
  );

it('the features that a node declares are names, sorted, each once', () => {
  assert.equal(violations(['A', 'B/c', 'B9/Cd']), '');
  assert.match(violations(['B', 'A']), /declaredFeatures\[1\]: Invalid value: "A": list must be sorted/);
  assert.match(violations(['A', 'A']), /declaredFeatures\[1\]: Duplicate value: "A"/);
  for (const name of ['a', '', 'A/', 'A/1', 'A-b', 'A'.repeat(254)]) {
    assert.match(violations([name]), /^\[?status\.declaredFeatures\[0\]: Invalid value/, name);
  }
});

it('a node has no less than nothing, counts devices whole, and tells each of its addresses once', () => {
  const metadata = { name: 'a', resourceVersion: '1' };
  const told = (status: object) =>
    joinFieldErrors(
      validateUpdate(
        { group: '', version: 'v1', kind: 'Node' },
        { metadata, spec: {}, status },
        { metadata, spec: {} },
      ),
    );
  assert.equal(told({ capacity: { cpu: '1500m', pods: '10', 'example.com/gpu': '2' } }), '');
  assert.equal(
    told({ capacity: { cpu: '-1' }, allocatable: { 'example.com/gpu': '1500m' } }),
    '[status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0, status.allocatable.example.com/gpu: Invalid value: "1500m": must be an integer]',
  );
  const address = { type: 'InternalIP', address: '10.0.0.1' };
  assert.equal(told({ addresses: [address, { ...address, type: 'ExternalIP' }] }), '');
  assert.equal(
    told({ addresses: [address, address] }),
    'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"10.0.0.1"}',
  );
});
