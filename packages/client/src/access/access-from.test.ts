import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadKubeconfig } from '../config/load-kubeconfig.ts';
import { parseKubeconfig } from '../config/parse-kubeconfig.ts';
import { accessFrom } from './access-from.ts';
import { inClusterAccess } from './in-cluster.ts';

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

test('a server without a scheme is a host and a port, and nothing behind them', () => {
  const access = (server: string) => accessFrom(parseKubeconfig(text, '/k'), { server });
  assert.equal(access('foo.example.com').server.href, 'http://foo.example.com/');
  assert.equal(access('127.0.0.1:8080').server.href, 'http://127.0.0.1:8080/');
  assert.equal(access('http://host/prefix').server.href, 'http://host/prefix');
  assert.throws(() => access('host/server'), {
    message: 'host must be a URL or a host:port pair: "host/server"',
  });
});

test('what is missing is refused by name', () => {
  const config = parseKubeconfig(text, '/k');
  assert.throws(() => accessFrom(config, { context: 'three' }), {
    message:
      'Error in configuration: context was not found for specified context: three; there are "one", "two", "broken"',
  });
  assert.throws(() => accessFrom(config, { context: 'broken' }), /no server found for cluster "absent"/);
  assert.throws(() => accessFrom({ ...config, currentContext: 'four' }), {
    message:
      'Error in configuration: context was not found for specified context: four; there are "one", "two", "broken"',
  });
  assert.throws(() => accessFrom(config, { cluster: 'd' }), {
    message: 'no server found for cluster "d"; there is "c"',
  });
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

test('a pod’s service account gives access, but for what the options say', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-account-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const pem = '-----BEGIN CERTIFICATE-----\n';
  for (const [name, content] of Object.entries({
    token: 't',
    'ca.crt': pem,
    namespace: 'work\n',
    other: pem,
  }))
    writeFileSync(join(folder, name), content);
  const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
  const account = inClusterAccess(environment, folder);
  assert.equal(account?.server.href, 'https://[fd00::1]/');
  assert.deepEqual([account?.namespace, account?.tls.ca?.toString()], ['work', pem]);
  assert.deepEqual([account?.headers(), account?.credentials === undefined], [{}, false]);
  const options = { token: 'mine', impersonate: { user: 'jane' }, insecureSkipTlsVerify: true };
  const mine = inClusterAccess(environment, folder, options);
  assert.deepEqual(mine?.headers(), { authorization: 'Bearer mine', 'impersonate-user': 'jane' });
  assert.deepEqual(
    [mine?.credentials, mine?.tls.ca, mine?.tls.rejectUnauthorized],
    [undefined, undefined, false],
  );
  assert.equal(inClusterAccess({}, folder), undefined);
});

test('all that is wrong with the user and the cluster is listed', () => {
  const wrong = text
    .replace('token: secret, as: other', 'token: a, username: b, as-uid: "1"')
    .replace('tls-server-name: api', 'proxy-url: "ftp://x"');
  assert.throws(() => accessFrom(parseKubeconfig(wrong, '/k')), {
    message: `Error in configuration: 
* more than one authentication method found for u; found [token basicAuth], only one is allowed
* requesting uid, groups or user-extra for u without impersonating a user
* invalid 'proxy-url' "ftp://x" for cluster "c": unsupported scheme "ftp", must be http, https, or socks5`,
  });
});

test('all files that can’t be read are told of, and those that are not there are none', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-kubeconfigs-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const files = { good: text, pod: 'apiVersion: v1\nkind: Pod\n', newer: 'apiVersion: v2\nkind: Config\n' };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const load = (...names: string[]) =>
    loadKubeconfig(undefined, { KUBECONFIG: names.map((name) => join(folder, name)).join(':') });
  assert.equal(load('none', 'good').currentContext, 'one');
  const wrong = (name: string, why: string) => `error loading config file "${join(folder, name)}": ${why}`;
  assert.throws(() => load('good', 'pod', '', 'good/x', 'newer'), {
    message: [
      wrong('pod', 'no kind "Pod" is registered for version "v1" among configurations'),
      wrong('', `read ${join(folder, '')}: is a directory`),
      wrong('good/x', `open ${join(folder, 'good/x')}: not a directory`),
      wrong('newer', 'no kind "Config" is registered for version "v2" among configurations'),
    ].join('\n'),
  });
});
