import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { JsonObject } from '@wherry/kubeapi';
import { servedResources, toServedResource } from '../kinds/served-resources.ts';
import type { ApiObject } from '../objects/api-object.ts';
import { prepareChange, prepareNew } from './preparation.ts';

const nowText = '2026-01-01T00:00:00Z';
const user = { name: 'somebody', groups: [], uid: '', extra: {} };
const resource = (plural: string) =>
  toServedResource(servedResources().find((facts) => facts.plural === plural && facts.version === 'v1')!);
const named = (more: JsonObject): ApiObject => ({ metadata: { name: 'it' }, ...more }) as ApiObject;

function made(plural: string, more: JsonObject): ApiObject {
  const object = named(more);
  prepareNew(object, resource(plural), { user, nowText });
  return object;
}
function changed(plural: string, more: JsonObject, before: JsonObject, subresource = ''): ApiObject {
  const [next, previous] = [named(more), named(before)];
  prepareChange(next, previous, resource(plural), { subresource, nowText, stored: previous });
  return next;
}

it('secrets of a service account are names alone', () => {
  const secrets = [{ name: 'a', namespace: 'other', fieldPath: 'x' }];
  assert.deepEqual(made('serviceaccounts', { secrets })['secrets'], [{ name: 'a' }]);
  assert.deepEqual(changed('serviceaccounts', { secrets }, {})['secrets'], [{ name: 'a' }]);
});

it('content of another namespace is not asked for by a claim, unless it was', () => {
  const dataSourceRef = { kind: 'PersistentVolumeClaim', name: 'a', namespace: 'other' };
  assert.deepEqual(made('persistentvolumeclaims', { spec: { dataSourceRef } }).spec, {});
  const before = { spec: { dataSourceRef }, status: {} };
  assert.deepEqual(changed('persistentvolumeclaims', { spec: { dataSourceRef } }, before).spec, {
    dataSourceRef,
  });
});

it('what nobody acts on is taken away, unless it was there', () => {
  const strategy = { strategy: 'OldestEmulationVersion' };
  assert.deepEqual(made('leases', { spec: { ...strategy, holderIdentity: 'a' } }).spec, {
    holderIdentity: 'a',
  });
  assert.deepEqual(changed('leases', { spec: strategy }, { spec: strategy }).spec, strategy);
  const spec = { preventPodSchedulingIfMissing: true };
  assert.deepEqual(changed('csidrivers', { spec }, { spec: {} }).spec, {});
  assert.deepEqual(changed('csidrivers', { spec }, { spec }).spec, spec);
  assert.deepEqual(made('nodes', { spec: {}, status: { config: {}, phase: 'Running' } }).status, {
    phase: 'Running',
  });
  assert.deepEqual(changed('nodes', { status: { config: {} } }, { status: {} }, 'status').status, {});
});

it('the topology of an endpoint can not be written; of one that changes it becomes the node', () => {
  const old = { addresses: ['10.0.0.1'], deprecatedTopology: { 'kubernetes.io/hostname': 'here' } };
  const moved = { ...structuredClone(old), addresses: ['10.0.0.2'] };
  const endpointsOf = (object: ApiObject) => object['endpoints'];
  assert.deepEqual(endpointsOf(made('endpointslices', { endpoints: [structuredClone(old)] })), [
    { addresses: ['10.0.0.1'] },
  ]);
  assert.deepEqual(endpointsOf(changed('endpointslices', { endpoints: [moved] }, { endpoints: [old] })), [
    { addresses: ['10.0.0.2'], nodeName: 'here' },
  ]);
  const same = structuredClone(old);
  assert.deepEqual(endpointsOf(changed('endpointslices', { endpoints: [same] }, { endpoints: [old] })), [
    old,
  ]);
});

it('finalizers of a new namespace stay as they stand, with Kubernetes’ own among them', () => {
  const finalizersOf = (finalizers: string[]) =>
    (made('namespaces', { spec: { finalizers } }).spec as { finalizers: string[] }).finalizers;
  assert.deepEqual(finalizersOf(['kubernetes', 'own']), ['kubernetes', 'own']);
  assert.deepEqual(finalizersOf(['own']), ['own', 'kubernetes']);
});
