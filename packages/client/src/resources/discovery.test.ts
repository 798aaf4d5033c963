import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { json, startScriptedServer } from '../../test/scripted-server.ts';
import { discoverResources } from './discovery.ts';

const verbs = ['get', 'list'];
const told = (list: readonly { group: string; version: string; plural: string; namespaced: boolean }[]) =>
  list.map(
    ({ group, version, plural, namespaced }) =>
      `${group}/${version}/${plural}${namespaced ? '' : ' (cluster)'}`,
  );

/** A client of a server that answers each path by `documents`, and others with 503. */
async function clientOf(context: TestContext, documents: Record<string, object>) {
  const answer = (response: ServerResponse, request: IncomingMessage) => {
    const document = documents[request.url ?? ''];
    json(document ?? { kind: 'Status', reason: 'ServiceUnavailable' }, document ? 200 : 503)(
      response,
      request,
    );
  };
  return startScriptedServer(context, [answer]);
}

test('aggregated discovery is read in two requests; a stale group version is told as failed', async (context) => {
  const resource = (name: string, kind: string, scope: string) => ({
    ...{ resource: name, responseKind: { group: '', version: '', kind }, scope, verbs },
    ...{ singularResource: kind.toLowerCase(), shortNames: [kind.slice(0, 2).toLowerCase()] },
  });
  const groups = (items: object[]) => ({ kind: 'APIGroupDiscoveryList', items });
  const { client, requests } = await clientOf(context, {
    '/api': groups([
      { metadata: {}, versions: [{ version: 'v1', resources: [resource('nodes', 'Node', 'Cluster')] }] },
    ]),
    '/apis': groups([
      {
        metadata: { name: 'apps' },
        versions: [{ version: 'v1', resources: [resource('deployments', 'Deployment', 'Namespaced')] }],
      },
      { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
      { metadata: { name: 'external.metrics.k8s.io' }, versions: [{ version: 'v1beta1' }] },
    ]),
  });
  const { resources, groupVersions, failed } = await discoverResources(client);
  assert.deepEqual(told(resources), ['/v1/nodes (cluster)', 'apps/v1/deployments']);
  assert.deepEqual(groupVersions, ['v1', 'apps/v1', 'external.metrics.k8s.io/v1beta1']);
  assert.deepEqual(failed, ['metrics.k8s.io/v1beta1']);
  assert.equal(requests.length, 2);
  const { singular, shortNames, categories } = resources[1] ?? {};
  assert.deepEqual(
    { singular, shortNames, categories },
    { singular: 'deployment', shortNames: ['de'], categories: [] },
  );
});

test('older servers are asked for one document per group version, the preferred version first', async (context) => {
  const list = (groupVersion: string, ...names: string[]) => ({
    ...{ kind: 'APIResourceList', groupVersion },
    resources: names.map((name) => ({ name, kind: 'K', namespaced: true, verbs })),
  });
  const versions = ['v1', 'v2', 'v3'].map((version) => ({ groupVersion: `example.com/${version}`, version }));
  const { client } = await clientOf(context, {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': {
      kind: 'APIGroupList',
      groups: [{ name: 'example.com', versions, preferredVersion: versions[1] }],
    },
    '/api/v1': list('v1', 'pods', 'pods/log'),
    '/apis/example.com/v1': list('example.com/v1', 'things'),
    '/apis/example.com/v2': list('example.com/v2', 'things'),
  });
  const { resources, groupVersions, failed } = await discoverResources(client);
  assert.deepEqual(groupVersions, ['v1', 'example.com/v2', 'example.com/v1', 'example.com/v3']);
  assert.deepEqual(told(resources), ['/v1/pods', 'example.com/v2/things', 'example.com/v1/things']);
  assert.deepEqual(failed, ['example.com/v3']);
});

test('a server that does not answer at all is an error, not an empty server', async (context) => {
  const { client } = await clientOf(context, { '/api': { kind: 'APIVersions', versions: [] } });
  await assert.rejects(discoverResources(client), { code: 503 });
});
