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
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
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

  it('tell how long answers and bodies are, and what is on its way out', async () => {
    const before = figure('apiserver_response_sizes_sum', { ...ours, verb: 'GET' }) ?? 0;
    const { bytes } = await server.request('GET', `${configMaps}/applied`);
    const sizes = figure('apiserver_response_sizes_sum', { ...ours, verb: 'GET', scope: 'resource' }) ?? 0;
    assert.equal(sizes - before, bytes.length);
    const body = configMap('sized');
    await server.request('POST', configMaps, { body });
    const written = { group: '', resource: 'configmaps', verb: 'create' };
    assert.ok((figure('apiserver_request_body_size_bytes_count', written) ?? 0) >= 3);
    assert.equal(figure('apiserver_response_sizes_count', { ...ours, verb: 'POST' }), undefined);
    const deprecated = { group: '', version: 'v1', resource: 'endpoints', removed_release: '' };
    assert.equal(figure('apiserver_requested_deprecated_apis', deprecated), undefined);
    await server.request('GET', '/api/v1/namespaces/default/endpoints');
    assert.equal(figure('apiserver_requested_deprecated_apis', deprecated), 1);
  });

  it('tell how long a packed answer is, as it is sent', async () => {
    const data = { text: 'a'.repeat(300_000) };
    await server.request('POST', configMaps, { body: { ...configMap('long'), data } });
    const labels = { ...ours, verb: 'LIST', scope: 'namespace' };
    const sum = () => figure('apiserver_response_sizes_sum', labels) ?? 0;
    const before = sum();
    const { headers, bytes } = await server.request('GET', configMaps, {
      headers: { 'accept-encoding': 'gzip' },
    });
    assert.equal(headers['content-encoding'], 'gzip');
    while (sum() === before) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sum() - before, bytes.length);
  });

  it('tell of the store, of lists and of watches by resource', async () => {
    const stored = { group: '', resource: 'configmaps' };
    const changed = { ...configMap('sized'), data: { a: 'b' } };
    await server.request('PUT', `${configMaps}/sized`, { body: changed });
    const asked = (operation: string) => figure('etcd_requests_total', { ...stored, operation }) ?? 0;
    for (const operation of ['get', 'list', 'create', 'update', 'delete'])
      assert.ok(asked(operation) > 0, operation);
    assert.equal(figure('etcd_request_errors_total', stored), undefined);
    const lists = () => figure('apiserver_storage_list_returned_objects_total', stored) ?? 0;
    const before = lists();
    const { body } = await server.request('GET', configMaps);
    assert.equal(lists() - before, body.items.length);
    const events = figure('apiserver_watch_events_total', { ...stored, version: 'v1' }) ?? 0;
    const initial = 'watch=true&allowWatchBookmarks=true&sendInitialEvents=true';
    const ended = server.request(
      'GET',
      `${configMaps}?${initial}&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
    );
    while (!figure('apiserver_watch_list_duration_seconds_count', stored))
      await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    await ended;
    const told = (figure('apiserver_watch_events_total', { ...stored, version: 'v1' }) ?? 0) - events;
    assert.equal(told, body.items.length);
  });

  it('tell how many objects there are, counted once a minute at most', async () => {
    const told = async () => {
      const { text } = await server.request('GET', '/metrics');
      const [, count] =
        /^apiserver_resource_objects\{group="",resource="configmaps"\} (\d+)$/m.exec(text) ?? [];
      return Number(count);
    };
    const first = await told();
    const { body } = await server.request('GET', '/api/v1/configmaps');
    assert.equal(first, body.items.length);
    await server.request('POST', configMaps, { body: configMap('counted') });
    assert.equal(await told(), first);
    clock.advance(60_000);
    assert.equal(await told(), first + 1);
    assert.ok((figure('apiserver_storage_size_bytes', { storage_cluster_id: 'sqlite-0' }) ?? 0) > 0);
  });

  it('tell who asked, how he was known and who decided', async () => {
    const of = (result: string) => figure('authentication_attempts', { result }) ?? 0;
    const [errors, successes] = [of('error'), of('success')];
    await server.request('GET', configMaps, { as: null, token: 'of-nobody' });
    assert.equal(of('error'), errors + 1);
    await server.request('GET', configMaps, { as: null });
    assert.equal(of('success'), successes + 1);
    assert.equal(figure('authorization_attempts_total', { result: 'no-opinion' }), 1);
    assert.ok((figure('authenticated_user_requests', { username: 'other' }) ?? 0) > 0);
  });

  it('tell how long admission takes, by plug-in and as a whole', () => {
    const labels = { type: 'admit', operation: 'CREATE', rejected: 'false' };
    const name = 'apiserver_admission_step_admission_duration_seconds_count';
    assert.ok((figure(name, labels) ?? 0) > 0);
    const plugin = { ...labels, name: 'NamespaceLifecycle' };
    assert.ok((figure('apiserver_admission_controller_admission_duration_seconds_count', plugin) ?? 0) > 0);
    const webhook = { name: 'slow.example.com', type: 'admit', operation: 'CREATE', rejected: 'false' };
    // That of the dry run took two seconds as well.
    assert.equal(figure('apiserver_admission_webhook_admission_duration_seconds_sum', webhook), 4);
    assert.equal(figure('apiserver_admission_webhook_request_total', { ...webhook, code: '200' }), 2);
  });

  it('tell how long the certificates last that clients are known by', async () => {
    const text = metrics.render();
    assert.match(text, /^apiserver_client_certificate_expiration_seconds_bucket\{le="0"\} 0$/m);
    assert.match(text, /^apiserver_client_certificate_expiration_seconds_count [1-9]/m);
  });
});
