import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { eventually, TestCluster } from '../../test/cluster.ts';

const lastUsed = 'kubernetes.io/legacy-token-last-used';
const asked = (account: string) => ({
  type: 'kubernetes.io/service-account-token',
  metadata: { annotations: { 'kubernetes.io/service-account.name': account } },
});

describe('a secret that asks for a token', { concurrency: false }, () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.startServer();
    cluster.keys = { tokenSigningKeyFile: cluster.server.options.serviceAccountSigningKeyFile };
    cluster.startControllers();
  });
  after(() => cluster.close());

  const make = async (name: string, account: string) => {
    const { type, metadata } = asked(account);
    await cluster.create(
      kinds.secrets,
      name,
      {},
      { type, metadata: { name, namespace: 'default', ...metadata } },
    );
  };
  const secret = (name: string) => cluster.client.resource(kinds.secrets).get({ name, namespace: 'default' });
  const tokenOf = (name: string) =>
    eventually(`a token in ${name}`, async () => {
      const { data = {} } = await secret(name);
      return data['token'] && Buffer.from(data['token'], 'base64').toString();
    });
  const whoIs = async (token: string) => {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const { status, body } = await cluster.server.request('POST', path, { as: null, token, body: {} });
    return status === 201 ? body.status.userInfo.username : status === 403 ? body.message : status;
  };
  it('gets one that opens the API server', async () => {
    await cluster.create(kinds.serviceAccounts, 'robot');
    await make('first', 'robot');
    const token = await tokenOf('first');
    const { data = {}, metadata } = await secret('first');
    assert.equal(Buffer.from(data['namespace'] ?? '', 'base64').toString(), 'default');
    assert.equal(Buffer.from(data['ca.crt'] ?? '', 'base64').toString(), cluster.server.authority.cert);
    const account = await cluster.client
      .resource(kinds.serviceAccounts)
      .get({ name: 'robot', namespace: 'default' });
    assert.equal(metadata.annotations?.['kubernetes.io/service-account.uid'], account.metadata.uid);
    assert.equal(metadata.labels?.[lastUsed], undefined);
    assert.equal(await whoIs(token), 'system:serviceaccount:default:robot');
  });

  it('tells on which day its token was used last', async () => {
    await make('used', 'robot');
    const token = await tokenOf('used');
    const today = () => new Date().toISOString().slice(0, 10);
    const before = today();
    await whoIs(token);
    const noted = await secret('used');
    assert.ok([before, today()].includes(noted.metadata.labels?.[lastUsed] ?? ''));
    await whoIs(token);
    assert.equal((await secret('used')).metadata.resourceVersion, noted.metadata.resourceVersion);
  });

  it('tells so of a token, too, that is marked as invalid and opens nothing', async () => {
    await make('stale', 'robot');
    const token = await tokenOf('stale');
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01', [lastUsed]: '2026-01-01' };
    const target = { name: 'stale', namespace: 'default' };
    await cluster.client
      .resource(kinds.secrets)
      .patch({ ...target, type: 'merge', patch: { metadata: { labels } } });
    assert.equal(await whoIs(token), 401);
    assert.notEqual((await secret('stale')).metadata.labels?.[lastUsed], '2026-01-01');
  });

  it('holds nothing any more once it is marked, changed or deleted', async () => {
    const secrets = cluster.client.resource(kinds.secrets);
    const target = (name: string) => ({ name, namespace: 'default' });
    const merge = (name: string, patch: object) => secrets.patch({ ...target(name), type: 'merge', patch });
    const labels = { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' };
    const ends: Record<string, (name: string) => Promise<unknown>> = {
      marked: (name) => merge(name, { metadata: { labels } }),
      changed: (name) => merge(name, { data: { token: 'AAAA' } }),
      deleted: (name) => secrets.delete(target(name)),
    };
    for (const [name, end] of Object.entries(ends)) {
      await make(name, 'robot');
      const token = await tokenOf(name);
      await end(name);
      assert.equal(await whoIs(token), 401, name);
    }
  });

  it('is not named any more by its account once it is deleted', async () => {
    const target = { name: 'namer', namespace: 'default' };
    const accounts = cluster.client.resource(kinds.serviceAccounts);
    await cluster.create(
      kinds.serviceAccounts,
      'namer',
      {},
      { secrets: [{ name: 'named' }, { name: 'own' }] },
    );
    await make('named', 'namer');
    await tokenOf('named');
    await cluster.client.resource(kinds.secrets).delete({ name: 'named', namespace: 'default' });
    await eventually('the reference is gone', async () => {
      const { secrets = [] } = await accounts.get(target);
      return secrets.length === 1 && secrets[0]?.name === 'own';
    });
  });

  it('is deleted when its account goes, and when there is none', async () => {
    await make('third', 'robot');
    const token = await tokenOf('third');
    await cluster.client.resource(kinds.serviceAccounts).delete({ name: 'robot', namespace: 'default' });
    await cluster.gone(kinds.secrets, 'third');
    assert.equal(await whoIs(token), 401);
    await make('nobodys', 'nobody');
    await cluster.gone(kinds.secrets, 'nobodys');
  });
});
