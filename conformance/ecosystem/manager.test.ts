/** An operator on controller-runtime, with leader election, a cache and webhooks, on an API server as tests of users start it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type KubeObject, kinds, type Lease } from '@wherry/client';
import { startApiServer, type TestCluster } from '@wherry/testing';
import { eventually } from '../../e2e/node.ts';
import { type GoPeer, startGoPeer } from '../peers/go-process.ts';
import { buildProgram } from './build.ts';

const apiVersion = 'example.com/v1';

interface Shop extends KubeObject {
  spec: { sells?: string };
  status?: { others?: number };
}

interface Sign extends KubeObject {
  data: { sells: string; by: string };
}

let server: TestCluster;
let program: string;
let first: GoPeer;

before(async () => {
  program = await buildProgram('manager');
  server = await startApiServer();
  // Installs definition and webhooks as envtest does, which waits until discovery has them.
  first = startGoPeer(program, [server.kubeconfig.path, 'first', 'install']);
  await first.output(/^leads$/m);
});
after(async () => {
  await first?.[Symbol.asyncDispose]();
  await server?.close();
});

const apply = (name: string, sells?: string) =>
  server.apply({ apiVersion, kind: 'Shop', metadata: { name }, spec: sells === undefined ? {} : { sells } });
const shop = (name: string) => server.client.get<Shop>({ apiVersion, kind: 'Shop', name });
const sign = (name: string) => server.client.get<Sign>({ apiVersion: 'v1', kind: 'ConfigMap', name });
const signSays = (name: string, data: object) =>
  eventually(`the sign of ${name}`, async () => {
    const found = await sign(name).catch(() => undefined);
    return JSON.stringify(found?.data) === JSON.stringify(data);
  });

test('its webhooks default and refuse what is applied', async () => {
  await apply('baker');
  assert.equal((await shop('baker')).spec.sells, 'bread');
  await assert.rejects(apply('empty', 'nothing'), /denied the request: shop empty has to sell something/);
});

test('it makes what a custom resource asks for, again when it is changed or deleted, and counts by its index', async () => {
  await apply('miller');
  await signSays('miller', { by: 'first', sells: 'bread' });
  await eventually('two of a kind', async () => (await shop('miller')).status?.others === 2);
  const [owner] = (await sign('miller')).metadata?.ownerReferences ?? [];
  assert.deepEqual([owner?.kind, owner?.controller], ['Shop', true]);
  await server.client.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'miller' } });
  await signSays('miller', { by: 'first', sells: 'bread' });
  await apply('miller', 'flour');
  await signSays('miller', { by: 'first', sells: 'flour' });
});

test('what it owns goes with the owner', async () => {
  await server.client.delete({ apiVersion, kind: 'Shop', metadata: { name: 'baker' } });
  await eventually('the sign to go', () =>
    sign('baker').then(
      () => false,
      () => true,
    ),
  );
});

test('a second one leads as soon as the first has ended, and goes on with its work', async () => {
  await using second = startGoPeer(program, [server.kubeconfig.path, 'second']);
  await second.output(/^started$/m);
  const holder = async () => {
    const lease = await server.client.get<Lease>({ type: kinds.leases, name: 'shops.example.com' });
    return lease.spec?.holderIdentity;
  };
  const led = await holder();
  // The webhooks end with the first: its successor has none, and its shops are to be changed.
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) {
    const words = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'shops' } };
    await server.client.delete(words);
  }
  first.process.kill('SIGTERM');
  await second.output(/^leads$/m);
  assert.notEqual(await holder(), led);
  await signSays('miller', { by: 'second', sells: 'flour' });
});
