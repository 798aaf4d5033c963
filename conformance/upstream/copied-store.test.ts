/** A cluster that has outgrown one file: Kubernetes' own API server goes on with what ours has stored in SQLite. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from '../../e2e/node.ts';
import { copyStore } from '../../packages/apiserver/src/copy-store.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { Beside } from '../../packages/wherry/test/describe/beside.ts';
import { buildKubectl } from '../e2e/build.ts';
import { everything, steady } from './everything.ts';
import { TwoServers } from './two-servers.ts';

/** Where a server answers, whom it trusts, and what it has looked at. */
const isServersOwn = (place: string) =>
  / (default\/kubernetes|kube-system\/extension-apiserver-authentication)$/.test(place) ||
  place.startsWith('/apis/flowcontrol.apiserver.k8s.io/') ||
  place.endsWith(' /v1beta1.metrics.k8s.io');

// biome-ignore lint/suspicious/noExplicitAny: objects of many shapes
type Body = any;

/** A role with its first rules alone, since a server adds others for its own controllers, and without what says who did. */
function withRules(role: Body, count: number): Body {
  const { managedFields: _managedFields, ...metadata } = steady(role).metadata;
  return { ...role, metadata, rules: role.rules.slice(0, count) };
}

function assertSame(found: Body, told: Body, place: string): void {
  const rules = told.rules?.length ?? 0;
  if ((found.rules?.length ?? 0) === rules) assert.deepEqual(steady(found), steady(told), place);
  else assert.deepEqual(withRules(found, rules), withRules(told, rules), place);
}

let two: TwoServers;
/** What ours told before it ended. */
let told: ReadonlyMap<string, Body>;

before(async () => {
  const ours = await TestServer.start();
  const beside = await Beside.start(
    { kubeconfig: ours.kubeconfig, close: async () => {} },
    await buildKubectl(),
  );
  await beside.close();
  told = await everything(async (path) => (await ours.request('GET', path)).body);
  await ours.apiserver.close();
  const fill = async (etcdUrl: string) => {
    await copyStore({ dataDir: ours.options.dataDir, etcd: { etcdServers: [etcdUrl] } });
  };
  two = await TwoServers.start({ port: 16_493, etcdPort: 23_970, fill });
  await ours.close();
});
after(() => two?.close());

test('it tells of the same objects, uids and managers of fields included', async () => {
  const path = '/apis/example.com/v1/things';
  const isServed = async () => (await two.ask(two.urls[1], { method: 'GET', path })).code === 200;
  await eventually('the definition of what is custom', isServed);
  const found = await everything(async (path) => {
    const { text } = await two.ask(two.urls[1], { method: 'GET', path });
    return JSON.parse(text);
  });
  const missing: string[] = [];
  for (const [place, object] of told) {
    if (isServersOwn(place)) continue;
    if (found.has(place)) assertSame(found.get(place), object, place);
    else missing.push(place);
  }
  assert.deepEqual(missing, []);
  assert.ok(told.size > 250, `${told.size} objects`);
});
