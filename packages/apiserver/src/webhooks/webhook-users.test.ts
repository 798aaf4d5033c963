import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { TestAuthority } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';
import { TestWebhook } from '../../test/test-webhook.ts';
import { WebhookUsers } from './webhook-users.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-webhook-users-'));
after(() => rmSync(folder, { recursive: true }));

function kubeconfig(users: Record<string, object>, current?: string): string {
  const file = join(folder, 'users.json');
  const contexts = current === undefined ? [] : [{ name: 'c', context: { cluster: '', user: current } }];
  writeFileSync(
    file,
    JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', clusters: [], contexts },
      ...(current === undefined ? {} : { 'current-context': 'c' }),
      users: Object.entries(users).map(([name, user]) => ({ name, user })),
    }),
  );
  return file;
}

it('a webhook is asked as the user whose name is nearest to its host', async () => {
  const names = ['a.ns.svc:8443', '*.ns.svc:8443', '*.svc', 'b.ns.svc', '*.ns.svc:443'];
  const tokens = (list: string[]) => Object.fromEntries(list.map((name) => [name, { token: name }]));
  const askedAs = async (file: string, host: string) => {
    const { headers } = await new WebhookUsers(file, new FakeClock()).identityFor(host);
    return headers['authorization'];
  };
  const file = kubeconfig(tokens(names));
  const hosts = ['a.ns.svc:8443', 'c.ns.svc:8443', 'b.ns.svc:443', 'b.other.svc:443', 'b.other.svc:8443'];
  assert.deepEqual(await Promise.all(hosts.map((host) => askedAs(file, host))), [
    'Bearer a.ns.svc:8443',
    'Bearer *.ns.svc:8443',
    'Bearer *.ns.svc:443',
    'Bearer *.svc',
    undefined,
  ]);
  assert.equal(await askedAs(kubeconfig(tokens(['*', 'mine']), 'mine'), 'x:1'), 'Bearer *');
  assert.equal(await askedAs(kubeconfig(tokens(['mine']), 'mine'), 'x:1'), 'Bearer mine');
});

it('a user may have a token in a file, a password, or somebody whom he stands for', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'of-the-file\n');
  const file = kubeconfig({
    'a:1': { tokenFile },
    'b:1': { username: 'u', password: 'p', as: 'somebody' },
  });
  const users = new WebhookUsers(file, new FakeClock());
  assert.deepEqual((await users.identityFor('a:1')).headers, { authorization: 'Bearer of-the-file' });
  assert.deepEqual((await users.identityFor('b:1')).headers, {
    authorization: `Basic ${Buffer.from('u:p').toString('base64')}`,
    'impersonate-user': 'somebody',
  });
});

it('webhooks know the server by the certificate that its file gives it, and others of them do not', async () => {
  const authority = await TestAuthority.create('webhooks');
  const [known, other] = [await TestWebhook.start(authority), await TestWebhook.start(authority)];
  const { cert, key } = await authority.issue({ name: 'the-server' });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const user = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
  const configuration = {
    ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration' },
    kubeConfigFile: kubeconfig({ [`127.0.0.1:${known.port}`]: user }),
  };
  const file = join(folder, 'admission.json');
  const plugins = [{ name: 'ValidatingAdmissionWebhook', configuration }];
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
  );
  const server = await TestServer.start({ admissionControlConfigFile: file });
  try {
    const rules = [
      { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
    ];
    const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
    const webhooks = [known, other].map((webhook, index) => ({
      ...{ name: `w${index}.example.com`, clientConfig: webhook.clientConfig(), rules, sideEffects: 'None' },
      admissionReviewVersions: ['v1'],
    }));
    await server.request('POST', path, { body: { metadata: { name: 'w' }, webhooks } });
    const body = { metadata: { name: 'a' } };
    const { status } = await server.request('POST', '/api/v1/namespaces/default/configmaps', { body });
    assert.equal(status, 201);
    assert.deepEqual(known.askers, [{ authorization: '', certificate: 'the-server' }]);
    assert.deepEqual(other.askers, [{ authorization: '', certificate: '' }]);
  } finally {
    await server.close();
    known.close();
    other.close();
  }
});
