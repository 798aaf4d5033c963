import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import type { RangeAllocation } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { TestEtcd } from '../../test/test-etcd.ts';
import { TestServer } from '../../test/test-server.ts';
import { defaultNodePorts, PortBits, PortRange } from '../admission/port-range.ts';
import { etcdForm } from '../objects/etcd-form.ts';
import { ObjectCache } from '../objects/object-cache.ts';
import { EtcdStore } from '../store/etcd/etcd-store.ts';
import type { Store } from '../store/store.ts';
import { PortBook } from './port-book.ts';

const range = PortRange.parse(defaultNodePorts);
const key = '/ranges/servicenodeports';
const services = '/api/v1/namespaces/default/services';

let etcd: TestEtcd;
let server: TestServer;
let store: Store;
/** As another server would have them. */
const caches = {
  services: new ObjectCache<never>({
    prefix: '/services/',
    gvk: { group: '', version: 'v1', kind: 'Service' },
  }),
  allocatedRanges: new ObjectCache<RangeAllocation>({
    ...{ prefix: '/ranges/', gvk: { group: '', version: 'v1', kind: 'RangeAllocation' } },
  }),
};
before(async () => {
  etcd = await TestEtcd.start();
  server = await TestServer.start({ etcdServers: [etcd.url] });
  const parts = { clock: systemClock, logger: silentLogger, values: etcdForm };
  store = await EtcdStore.open({ servers: [etcd.url] }, parts);
  for (const cache of Object.values(caches)) await cache.start(store);
});
after(async () => {
  for (const cache of Object.values(caches)) cache.close();
  await store.close();
  await server.close();
  await etcd.close();
});

const given = async () => {
  const stored = await store.get(key);
  return PortBits.read(range, stored ? (JSON.parse(stored.value) as RangeAllocation).data : '');
};
const giveOtherwise = (ports: PortBits) => {
  const object = { apiVersion: 'v1', metadata: {}, range: '30000-32767', data: ports.toString() };
  return store.write({ key, value: JSON.stringify(object), kind: 'RangeAllocation' });
};
const create = (name: string, nodePort: number) =>
  server.request('POST', services, {
    body: { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80, nodePort }] } },
  });

test('a port is given out with its service, and free with the write that removes it', async () => {
  assert.equal((await create('web', 31_500)).status, 201);
  assert.ok((await given()).has(31_500));
  const path = `${services}/web`;
  const type = 'application/merge-patch+json';
  const kept = await server.request('PATCH', path, { type, body: { metadata: { finalizers: ['a.b/c'] } } });
  assert.equal(kept.status, 200, kept.text);
  await server.request('DELETE', path);
  assert.ok((await given()).has(31_500), 'while something keeps the service');
  await server.request('PATCH', path, { type, body: { metadata: { finalizers: [] } } });
  assert.equal((await server.request('GET', path)).status, 404);
  assert.ok(!(await given()).has(31_500));
});

test('what another server has given out is nobody else’s, and free when no service has come to it for four looks', async () => {
  const book = new PortBook({ store, range, caches, clock: systemClock, logger: silentLogger });
  await giveOtherwise((await given()).with([31_600]));
  for (let look = 1; look <= 3; look += 1) {
    await book.look();
    const refused = await create('late', 31_600);
    assert.match(refused.body.message, /provided port is already allocated/);
  }
  await book.look();
  assert.equal((await create('late', 31_600)).status, 201);
});

test('what a service has that nobody said is given out is so from the next look on', async () => {
  assert.equal((await create('old', 31_700)).status, 201);
  await giveOtherwise((await given()).without([31_700]));
  await new PortBook({ store, range, caches, clock: systemClock, logger: silentLogger }).look();
  assert.ok((await given()).has(31_700));
});

test('ports of another range are not mixed with this one’s; who had them before is followed', async () => {
  assert.equal((await create('kept', 31_900)).status, 201);
  const before = (await store.get(key))!.value;
  await store.write({ key, value: before.replace('30000-32767', '20000-22767'), kind: 'RangeAllocation' });
  const { status, body } = await create('other', 31_800);
  assert.equal(status, 500);
  assert.match(body.message, /stored range of node ports is 20000-22767/);
  assert.equal((await server.request('DELETE', `${services}/old`)).status, 200);
  await new PortBook({ store, range, caches, clock: systemClock, logger: silentLogger }).look();
  const ports = await given();
  assert.ok(ports.has(31_900) && !ports.has(31_700));
  assert.equal((await create('other', 31_800)).status, 201);
});
