import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../../test/test-server.ts';

const core = '/api/v1/namespaces/default';
const container = { name: 'main', image: 'busybox' };

describe('an account that limits the secrets of its pods', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    const metadata = { name: 'careful', annotations };
    const body = { metadata, secrets: [{ name: 'listed' }], imagePullSecrets: [{ name: 'pull' }] };
    const made = await server.request('POST', `${core}/serviceaccounts`, { body });
    assert.equal(made.status, 201, made.text);
  });
  after(() => server.close());

  let count = 0;
  const post = (spec: object) => {
    count += 1;
    const full = { serviceAccountName: 'careful', containers: [container], ...spec };
    return server.request('POST', `${core}/pods`, {
      body: { metadata: { name: `pod-${count}` }, spec: full },
    });
  };
  const env = (name: string) => [{ name: 'X', valueFrom: { secretKeyRef: { name, key: 'k' } } }];

  it('refuses what it does not list, wherever the pod names it', async () => {
    const named = (secretName: string) => [
      { volumes: [{ name: 'v', secret: { secretName } }] },
      { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: secretName } }] } }] },
      { containers: [{ ...container, env: env(secretName) }] },
      { containers: [{ ...container, envFrom: [{ secretRef: { name: secretName } }] }] },
      { initContainers: [{ ...container, name: 'first', env: env(secretName) }] },
    ];
    for (const spec of named('other')) {
      const { status, body } = await post(spec);
      assert.equal(status, 403, JSON.stringify(spec));
      assert.match(body.message, /secretName="other" is not allowed because service account careful/);
    }
    for (const spec of named('listed')) assert.equal((await post(spec)).status, 201, JSON.stringify(spec));
    assert.equal((await post({ imagePullSecrets: [{ name: 'listed' }] })).status, 403);
    assert.equal((await post({ imagePullSecrets: [{ name: 'pull' }] })).status, 201);
  });

  it('does so for ephemeral containers too', async () => {
    const { body: pod } = await post({});
    const debug = (secret: string) =>
      server.request('PATCH', `${core}/pods/${pod.metadata.name}/ephemeralcontainers`, {
        type: 'application/strategic-merge-patch+json',
        body: {
          spec: { ephemeralContainers: [{ ...container, name: `debug-${secret}`, env: env(secret) }] },
        },
      });
    const refused = await debug('other');
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /ephemeral container debug-other with envVar X/);
    assert.equal((await debug('listed')).status, 200);
  });

  it('lets a pod that read more before have ephemeral containers, and none without its account', async () => {
    const made = await server.request('POST', `${core}/serviceaccounts`, {
      body: { metadata: { name: 'late' } },
    });
    assert.equal(made.status, 201);
    const volumes = [{ name: 'v', secret: { secretName: 'other' } }];
    const { body: pod } = await post({ serviceAccountName: 'late', volumes });
    const path = `${core}/serviceaccounts/late`;
    const annotations = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
    const type = 'application/merge-patch+json';
    await server.request('PATCH', path, { type, body: { metadata: { annotations } } });
    const debug = (name: string) =>
      server.request('PATCH', `${core}/pods/${pod.metadata.name}/ephemeralcontainers`, {
        type: 'application/strategic-merge-patch+json',
        body: { spec: { ephemeralContainers: [{ ...container, name }] } },
      });
    assert.equal((await debug('first')).status, 200);
    await server.request('DELETE', path);
    const refused = await debug('second');
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /error looking up service account default\/late/);
  });
});
