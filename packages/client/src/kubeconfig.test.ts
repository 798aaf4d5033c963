import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessFrom } from './cluster-access.ts';
import { parseKubeconfig } from './kubeconfig.ts';

const text = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- {name: c, cluster: {server: 'https://192.0.2.1:6443', certificate-authority-data: Q0E=, tls-server-name: api}}
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
    ['CA', 'api', 'work'],
  );
  assert.deepEqual(access.headers(), { authorization: 'Bearer secret', 'impersonate-user': 'other' });
});

test('paths are relative to the file that names them', () => {
  const relative = text.replace('certificate-authority-data: Q0E=', 'certificate-authority: pki/ca.crt');
  const cluster = parseKubeconfig(relative, '/etc/cluster/config').clusters.get('c');
  assert.equal(cluster?.['certificate-authority'], '/etc/cluster/pki/ca.crt');
});

test('what is missing or unsupported is refused by name', () => {
  const config = parseKubeconfig(text, '/k');
  assert.throws(() => accessFrom(config, { context: 'three' }), /context "three" does not exist/);
  assert.throws(() => accessFrom(config, { context: 'broken' }), /cluster "absent" does not exist/);
  assert.throws(() => accessFrom(config, { context: 'two' }), /user "plugin": exec is not supported/);
  assert.throws(() => parseKubeconfig('a: [', '/k'), /kubeconfig "\/k" is not YAML/);
  assert.throws(() => parseKubeconfig('clusters: 7', '/k'), /clusters is not a list/);
});
