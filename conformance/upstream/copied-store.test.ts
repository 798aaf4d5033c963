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

/** Without rules that a server adds for its own controllers and scheduler, and what says so. */
function comparable(object: Body, rules: number): Body {
  if (!object.rules || rules === object.rules.length) return steady(object);
  const { managedFields: _managedFields, ...metadata } = steady(object).metadata;
  return { ...object, metadata, rules: object.rules.slice(0, rules) };
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
    if (!found.has(place)) missing.push(place);
    else {
      const [theirs, rules] = [found.get(place), object.rules?.length];
      const { managedFields: _managedFields, ...metadata } = steady(object).metadata;
      const isSame = theirs.rules?.length === rules;
      assert.deepEqual(comparable(theirs, rules), isSame ? steady(object) : { ...object, metadata }, place);
    }
  }
  assert.deepEqual(missing, []);
  assert.ok(told.size > 250, `${told.size} objects`);
});
