import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseKubeconfig } from '../config/parse-kubeconfig.ts';
import { accessFrom } from './access-from.ts';

const text = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- {name: c, cluster: {server: 'https://192.0.2.1:6443', certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t, tls-server-name: api}}
users:
- {name: u, user: {token: secret, as: other}}
- {name: plugin, user: {exec: {command: login}}}
contexts:
- {name: one, context: {cluster: c, user: u, namespace: work}}
- {name: two, context: {cluster: c, user: plugin}}
- {name: broken, context: {cluster: absent, user: u}}
`;

test('the current context gives server, TLS, namespace and headers', () => {
  const access = accessFrom(parseKubeconfig(text, '/etc/kubeconfig'));
  assert.equal(access.server.href, 'https://192.0.2.1:6443/');
  assert.deepEqual(
    [access.tls.ca?.toString(), access.tls.servername, access.namespace],
    ['-----BEGIN CERTIFICATE-----', 'api', 'work'],
  );
  assert.deepEqual(access.headers(), { authorization: 'Bearer secret', 'impersonate-user': 'other' });
});

test('paths are relative to the file that names them', () => {
  const relative = text.replace(/certificate-authority-data: [^,]*/, 'certificate-authority: pki/ca.crt');
  const cluster = parseKubeconfig(relative, '/etc/cluster/config').clusters.get('c');
  assert.equal(cluster?.['certificate-authority'], '/etc/cluster/pki/ca.crt');
});

test('what is missing is refused by name', () => {
  const config = parseKubeconfig(text, '/k');
  assert.throws(
    () => accessFrom(config, { context: 'three' }),
    /context was not found for specified context: three; there are "one", "two", "broken"/,
  );
  assert.throws(() => accessFrom(config, { context: 'broken' }), /no server found for cluster "absent"/);
  assert.throws(() => accessFrom(config, { user: 'nobody' }), /auth info "nobody" does not exist/);
  const without = parseKubeconfig(text.replace('current-context: one', ''), '/k');
  assert.throws(() => accessFrom(without), /current-context is not set; choose a context/);
});

test('options take the place of what the kubeconfig says', () => {
  const config = parseKubeconfig(text, '/k');
  const access = accessFrom(config, {
    server: 'https://[::1]:8443/k8s/clusters/c-1/',
    token: 'other',
    insecureSkipTlsVerify: true,
    impersonate: { user: 'jane', uid: '7', groups: ['a', 'b'], extra: { 'example.com/Scope': ['x', 'y'] } },
  });
  assert.equal(access.server.href, 'https://[::1]:8443/k8s/clusters/c-1/');
  assert.deepEqual(access.tls, { ca: undefined, rejectUnauthorized: false, servername: undefined });
  assert.deepEqual(access.headers(), {
    authorization: 'Bearer other',
    'impersonate-user': 'jane',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-example.com%2FScope': ['x', 'y'],
  });
});

test('no credentials go to a server that is spoken to in clear text', () => {
  const access = accessFrom(parseKubeconfig(text, '/k'), { server: 'localhost:8080' });
  assert.equal(access.server.href, 'http://localhost:8080/');
  assert.deepEqual(access.headers(), { 'impersonate-user': 'other' });
});
