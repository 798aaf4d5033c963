import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { copyStore } from '@wherry/apiserver/copy-store';
import { TestEtcd } from '../test/test-etcd.ts';
import { TestServer } from '../test/test-server.ts';

const core = '/api/v1/namespaces/default';
const places: readonly (readonly [
  folder: string,
  object: { metadata: { name: string }; [field: string]: unknown },
])[] = [
  [`${core}/secrets`, { metadata: { name: 's' }, stringData: { of: 'words' } }],
  [`${core}/services`, { metadata: { name: 'web' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } }],
  [`${core}/events`, { metadata: { name: 'e' }, involvedObject: { namespace: 'default' }, reason: 'R' }],
  [
    '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers',
    {
      metadata: { name: 'h' },
      spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    },
  ],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      metadata: { name: 'boxes.example.com' },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'boxes', kind: 'Box' } },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
  ],
  [
    '/apis/example.com/v1/namespaces/default/boxes',
    { metadata: { name: 'b' }, kind: 'Box', apiVersion: 'example.com/v1' },
  ],
];

let etcd: TestEtcd;
before(async () => {
  etcd = await TestEtcd.start();
});
after(() => etcd.close());

/** Without what the store says of it. */
function steady(text: string): unknown {
  const object = JSON.parse(text);
  delete object.metadata.resourceVersion;
  return object;
}

test('a store of one file becomes one of etcd, object by object, and is not mixed with another', async (context) => {
  const server = await TestServer.start();
  context.after(() => server.close());
  const { dataDir } = server.options;
  const before = new Map<string, unknown>();
  for (const [folder, body] of places) {
    // A definition is served a moment after it is made.
    let made = await server.request('POST', folder, { body });
    while (made.status === 404) made = await server.request('POST', folder, { body });
    assert.equal(made.status, 201, made.text);
    before.set(`${folder}/${body.metadata.name}`, undefined);
  }
  for (const path of before.keys()) before.set(path, steady((await server.request('GET', path)).text));
  const to = { etcdServers: [etcd.url] };
  await assert.rejects(copyStore({ dataDir, etcd: to }), /locked; a server that has it open/);
  await server.apiserver.close();
  const count = await copyStore({ dataDir, etcd: to });
  assert.ok(count > 150, `${count} objects`);
  const other = await TestServer.start(to);
  context.after(() => other.close());
  for (const [path, object] of before) {
    const { text, status } = await other.request('GET', path);
    assert.equal(status, 200, path);
    assert.deepEqual(steady(text), object, path);
  }
  await assert.rejects(copyStore({ dataDir, etcd: to }), /the etcd is not empty/);
  assert.equal(await copyStore({ dataDir, etcd: { ...to, etcdPrefix: '/beside' } }), count);
  await assert.rejects(copyStore({ dataDir: '/nowhere', etcd: to }), /no store in "\/nowhere"/);
});
