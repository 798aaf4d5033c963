import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { kinds } from '@wherry/client';
import { eventually, TestCluster } from '../../test/cluster.ts';

describe('bootstrap tokens', { concurrency: false }, () => {
  let cluster: TestCluster;
  before(async () => {
    cluster = await TestCluster.startServer({ enableBootstrapTokenAuth: true });
    cluster.startControllers();
  });
  after(() => cluster.close());

  const secretOf = (id: string) => `${id.repeat(3).slice(0, 10)}abcdef`;
  const make = (id: string, more: Record<string, string> = {}) => {
    const stringData = {
      ...{ 'token-id': id, 'token-secret': secretOf(id) },
      ...{ 'usage-bootstrap-authentication': 'true', 'usage-bootstrap-signing': 'true', ...more },
    };
    const type = 'bootstrap.kubernetes.io/token';
    const namespace = 'kube-system';
    return cluster.create(kinds.secrets, `bootstrap-token-${id}`, { namespace }, { type, stringData });
  };
  const whoIs = async (token: string) => {
    const { status, body } = await cluster.server.request(
      'POST',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      {
        as: null,
        token,
        body: {},
      },
    );
    return status === 201 ? body.status.userInfo : status;
  };

  it('open the API server for users of their own, as long as they hold', async () => {
    await make('aaaaaa', { 'auth-extra-groups': 'system:bootstrappers:one' });
    const user = await whoIs(`aaaaaa.${secretOf('aaaaaa')}`);
    assert.equal(user.username, 'system:bootstrap:aaaaaa');
    assert.deepEqual(user.groups, [
      'system:bootstrappers',
      'system:bootstrappers:one',
      'system:authenticated',
    ]);
    await make('bbbbbb', { 'auth-extra-groups': 'system:masters' });
    await make('cccccc', { 'usage-bootstrap-authentication': 'false' });
    await make('dddddd', { expiration: 'soon' });
    for (const token of [
      'aaaaaa.0000000000abcdef',
      ...['bbbbbb', 'cccccc', 'dddddd'].map((id) => `${id}.${secretOf(id)}`),
    ])
      assert.equal(await whoIs(token), 401, token);
    await cluster.client
      .resource(kinds.secrets)
      .delete({ name: 'bootstrap-token-aaaaaa', namespace: 'kube-system' });
    assert.equal(await whoIs(`aaaaaa.${secretOf('aaaaaa')}`), 401);
  });

  it('are deleted once they are over', async () => {
    const namespace = 'kube-system';
    await make('eeeeee', { expiration: new Date(Date.now() + 2_000).toISOString() });
    await cluster.gone(kinds.secrets, 'bootstrap-token-eeeeee', namespace);
    await cluster.gone(kinds.secrets, 'bootstrap-token-dddddd', namespace);
    assert.ok(
      await cluster.read(kinds.secrets, 'bootstrap-token-cccccc', namespace),
      'one without an end stays',
    );
  });

  it('sign what joining machines are told in cluster-info, and only as long as they are there', async () => {
    const kubeconfig = 'apiVersion: v1\nkind: Config\n';
    const namespace = 'kube-public';
    await make('ffffff');
    await cluster.create(kinds.configMaps, 'cluster-info', { namespace }, { data: { kubeconfig } });
    const dataOnce = (what: string, holds: (data: Record<string, string>) => boolean) =>
      eventually(what, async () => {
        const { data = {} } = await cluster.client
          .resource(kinds.configMaps)
          .get({ name: 'cluster-info', namespace });
        return holds(data) && data;
      });
    const data = await dataOnce(
      'cluster-info is signed',
      (data) => data['jws-kubeconfig-ffffff'] !== undefined,
    );
    const [header = '', payload, signature] = data['jws-kubeconfig-ffffff']?.split('.') ?? [];
    assert.equal(payload, '');
    assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), {
      alg: 'HS256',
      kid: 'ffffff',
    });
    const signed = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`;
    assert.equal(signature, createHmac('sha256', secretOf('ffffff')).update(signed).digest('base64url'));
    await cluster.client
      .resource(kinds.secrets)
      .delete({ name: 'bootstrap-token-ffffff', namespace: 'kube-system' });
    await dataOnce('its signature is gone', (data) => data['jws-kubeconfig-ffffff'] === undefined);
  });
});
