import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { KubeObject, ResourceType } from '../src/index.ts';
import { json, startScriptedServer } from './scripted-server.ts';

interface Widget extends KubeObject {
  spec: { size: number };
}

const verbs = ['get', 'list', 'patch', 'watch'];
const widgets = {
  ...{ resource: 'widgets', singularResource: 'widget', shortNames: ['wd'], scope: 'Namespaced', verbs },
  responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
};
const definitions = {
  ...{ resource: 'customresourcedefinitions', scope: 'Cluster', verbs },
  responseKind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
};
const group = (name: string, resources: object[]) => ({
  metadata: { name },
  versions: [{ version: 'v1', resources }],
});

/** A server that serves widgets from the third time on that somebody asks what it serves. */
async function startServer(context: TestContext) {
  let asked = 0;
  const answer = (response: ServerResponse, request: IncomingMessage) => {
    const { url = '' } = request;
    const groups = [group('apiextensions.k8s.io', [definitions])];
    if (url === '/apis') asked += 1;
    if (asked > 2) groups.push(group('example.com', [widgets]));
    const isDiscovery = url === '/api' || url === '/apis';
    const items = url === '/apis' ? groups : [];
    const object = { kind: 'Widget', metadata: { name: 'small' }, spec: { size: 1 } };
    json(isDiscovery ? { kind: 'APIGroupDiscoveryList', items } : object)(response, request);
  };
  return startScriptedServer(context, [answer]);
}

const text = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
---
{ apiVersion: example.com/v1, kind: Widget, metadata: { name: small }, spec: { size: 1 } }
`;

test('a definition and its objects are applied in one text: the objects wait until their kind is served', async (context) => {
  const { client, requests } = await startServer(context);
  await client.apply(text);
  const applied = requests.filter(({ method }) => method === 'PATCH').map(({ url }) => url.split('?')[0]);
  assert.deepEqual(applied, [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
    '/apis/example.com/v1/namespaces/default/widgets/small',
  ]);
});

test('an informer’s objects have the type of its resource, whatever its handlers take', async (context) => {
  const { client } = await startServer(context);
  const type: ResourceType<Widget> = {
    ...{ group: 'example.com', version: 'v1', plural: 'widgets', kind: 'Widget', namespaced: true },
  };
  const handlers = { added(_object: KubeObject) {} };
  const informer = client.informer(type, { handlers, indices: { size: ({ spec }) => [String(spec.size)] } });
  const size: number | undefined = informer.get('small')?.spec.size;
  assert.equal(size, undefined);
});

test('a custom resource has the type that it is given, and the names that the server says', async (context) => {
  const { client, requests } = await startServer(context);
  await client.apply(text);
  requests.length = 0;
  for (const name of [
    'Widget/small',
    'wd/small',
    'widgets.example.com/small',
    'widget.v1.example.com/small',
  ]) {
    assert.equal((await client.get<Widget>(name)).spec.size, 1);
  }
  await client.patch<Widget>('wd/small', { spec: { size: 2 } });
  assert.deepEqual(
    requests.map(({ method, contentType }) => `${method} ${contentType ?? ''}`),
    ['GET ', 'GET ', 'GET ', 'GET ', 'PATCH application/merge-patch+json'],
  );
});

test('what the server serves is asked once, and again when a name is missing', async (context) => {
  const { client, requests } = await startServer(context);
  const discoveries = () => requests.filter(({ url }) => url === '/apis').length;
  await client.get('crd/a').catch(() => {});
  await client.get('customresourcedefinitions/a');
  await client.get('customresourcedefinitions/b');
  assert.equal(discoveries(), 1);
  await Promise.allSettled([client.get('gadgets/a'), client.get('gizmos/a'), client.get('things/a')]);
  assert.equal(discoveries(), 2);
});
