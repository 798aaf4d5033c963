/** What `/metrics` tells of requests, in the words that rules and dashboards of clusters ask by. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { TestServer } from '../../../test/test-server.ts';
import { TestWebhook } from '../../../test/test-webhook.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });

describe('metrics of requests', { timeout: 60_000 }, () => {
  let server: TestServer;
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  before(async () => {
    server = await TestServer.start({ clock, metrics });
  });
  after(() => server?.close());

  /** The figure of one series. */
  const figure = (name: string, labels: Record<string, string>) => {
    const words = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
    const line = metrics
      .render()
      .split('\n')
      .find((each) => each.startsWith(`${name}{`) && words.every((word) => each.includes(word)));
    return line && Number(line.split(' ').at(-1));
  };
  const ours = { group: '', version: 'v1', resource: 'configmaps', subresource: '', component: 'apiserver' };

  it('have upstream’s verbs, scopes and dry runs', async () => {
    const apply = { type: 'application/apply-patch+yaml', body: configMap('applied') };
    await server.request('POST', configMaps, { body: configMap('a') });
    await server.request('POST', `${configMaps}?dryRun=All`, { body: configMap('b') });
    await server.request('PUT', `${configMaps}/a`, { body: configMap('a') });
    await server.request('PATCH', `${configMaps}/applied?fieldManager=me`, apply);
    await server.request('GET', `${configMaps}/a`);
    await server.request('GET', configMaps);
    await server.request('GET', '/api/v1/configmaps');
    await server.request('DELETE', configMaps);
    await server.request('GET', '/readyz');
    const seen = (labels: Record<string, string>) => figure('apiserver_request_total', labels);
    const plain = { ...ours, dry_run: '' };
    assert.equal(seen({ ...plain, verb: 'POST', scope: 'resource', code: '201' }), 1);
    assert.equal(seen({ ...ours, verb: 'POST', scope: 'resource', dry_run: 'All', code: '201' }), 1);
    assert.equal(seen({ ...plain, verb: 'PUT', scope: 'resource', code: '200' }), 1);
    assert.equal(seen({ ...plain, verb: 'APPLY', scope: 'resource', code: '201' }), 1);
    assert.equal(seen({ ...plain, verb: 'GET', scope: 'resource', code: '200' }), 1);
    assert.equal(seen({ ...plain, verb: 'LIST', scope: 'namespace', code: '200' }), 1);
    assert.equal(seen({ ...plain, verb: 'DELETE', scope: 'namespace', code: '200' }), 1);
    assert.ok(seen({ ...plain, verb: 'LIST', scope: 'cluster', code: '200' }));
    assert.equal(seen({ verb: 'GET', subresource: '/readyz', component: '', code: '200' }), 1);
  });

  it('leave out of the server’s own time what its webhooks took, and dry runs', async () => {
    const webhook = await TestWebhook.start(server.authority);
    try {
      webhook.judge = () => {
        clock.advance(2_000);
        return { allowed: true };
      };
      const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['secrets'], operations: ['*'] };
      const hook = {
        ...{ name: 'slow.example.com', clientConfig: webhook.clientConfig(), rules: [rule] },
        ...{ sideEffects: 'None', admissionReviewVersions: ['v1'] },
      };
      const group = '/apis/admissionregistration.k8s.io/v1';
      for (const kind of ['validating', 'mutating'])
        await server.request('POST', `${group}/${kind}webhookconfigurations`, {
          body: { metadata: { name: 'slow' }, webhooks: [hook] },
        });
      const secrets = '/api/v1/namespaces/default/secrets';
      const body = { ...configMap('slow'), kind: 'Secret' };
      assert.equal((await server.request('POST', `${secrets}?dryRun=All`, { body })).status, 201);
      assert.equal((await server.request('POST', secrets, { body })).status, 201);
      const labels = { verb: 'POST', resource: 'secrets' };
      assert.equal(figure('apiserver_request_duration_seconds_sum', { ...labels, dry_run: '' }), 4);
      assert.equal(figure('apiserver_request_sli_duration_seconds_sum', labels), 0);
      assert.equal(figure('apiserver_request_sli_duration_seconds_count', labels), 1);
    } finally {
      webhook.close();
    }
  });

  it('tell how long the certificates last that clients are known by', async () => {
    const text = metrics.render();
    assert.match(text, /^apiserver_client_certificate_expiration_seconds_bucket\{le="0"\} 0$/m);
    assert.match(text, /^apiserver_client_certificate_expiration_seconds_count [1-9]/m);
  });
});
