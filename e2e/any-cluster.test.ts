import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { captureExec, createKubeClient, inClusterAccess, KubeClient, loadKubeconfig } from '@wherry/client';
import { TestAuthority } from '../packages/apiserver/test/pki.ts';
import { run, start } from './command.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { unlessKubectlHas } from './kubectl-version.ts';
import { eventually, podOf, scriptPod, TestNode, wherry, wherryEntry } from './node.ts';
import {
  type Identity,
  startConnectProxy,
  startPrefixProxy,
  startSocksProxy,
  type TestProxy,
} from './proxies.ts';

/** A name that only the test's proxies can find: what gets there went through one of them. */
const hiddenName = 'kube.test';
const web = 'mkdir -p /www; hostname > /www/index.html; httpd -f -p 8080 -h /www';
const user = { name: 'me', password: 'it:is@secret' };

let node: TestNode;
let folder: string;
let authority: TestAuthority;
let identity: Identity;
/** The administrator of the node, as its kubeconfig says. */
let server: URL;
let ca: string;
let certificate: { cert: string; key: string };
let token: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-any-cluster-'));
  authority = await TestAuthority.create('proxies');
  identity = await authority.issue({ name: 'proxy', hosts: ['127.0.0.1'] });
  node = await TestNode.start();
  const config = loadKubeconfig(node.kubeconfig);
  const cluster = config.clusters.get(config.currentContext);
  const admin = config.users.get(config.currentContext);
  server = new URL(cluster?.server ?? '');
  ca = cluster?.['certificate-authority-data'] ?? '';
  const pem = (data: string | undefined) => Buffer.from(data ?? '', 'base64').toString();
  certificate = { cert: pem(admin?.['client-certificate-data']), key: pem(admin?.['client-key-data']) };
  await node.apply(
    podOf('plain'),
    scriptPod('says', 'echo said; sleep 100000'),
    podOf('web', { command: ['sh', '-c', web] }),
  );
  await node.kubectlOk(['create', 'serviceaccount', 'robot']);
  const binding = ['create', 'clusterrolebinding', 'robot', '--clusterrole=cluster-admin'];
  await node.kubectlOk([...binding, '--serviceaccount=default:robot']);
  token = await node.createToken('robot');
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

let written = 0;

/** Writes a kubeconfig of one context; JSON is YAML. Without a cluster it is the node's. */
function kubeconfig({ cluster = {}, as = {} }: { cluster?: object; as?: object }): string {
  written += 1;
  const path = join(folder, `config-${written}`);
  const where = { server: server.href, 'certificate-authority-data': ca, ...cluster };
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: where }],
    users: [{ name: 'u', user: as }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}

const byToken = () => ({ token });
const hidden = () => ({ server: `https://${hiddenName}:${server.port}`, 'tls-server-name': '127.0.0.1' });

/** exec over both transports, logs, cp and port-forward, as users of that kubeconfig; each must do its whole job. */
async function assertEverythingWorks(
  config: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const env = { KUBECONFIG: config, ...environment };
  for (const transport of ['websocket', 'spdy']) {
    const flags = ['--transport', transport];
    const words = ['exec', ...flags, '-i', 'plain', '--', 'sh', '-c', 'cat; exit 7'];
    const finished = await wherry(words, { env, stdin: 'through and back' });
    assert.deepEqual([finished.stdout, finished.code], ['through and back', 7], finished.stderr);
    await assertForwards(env, flags);
  }
  const logs = await wherry(['logs', 'says'], { env });
  assert.equal(logs.stdout, 'said\n', logs.stderr);
  const source = join(folder, 'to-copy');
  writeFileSync(source, 'copied');
  const copied = await wherry(['cp', source, 'plain:/tmp/copied'], { env });
  assert.equal(copied.code, 0, copied.stderr);
}

async function assertForwards(env: Record<string, string>, flags: string[]): Promise<void> {
  const child = start(process.execPath, [wherryEntry, 'port-forward', ...flags, 'web', ':8080'], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  try {
    const port = await eventually(`a forwarded port`, () => /127\.0\.0\.1:(\d+) ->/.exec(said)?.[1]);
    const socket = connect({ host: '127.0.0.1', port: Number(port) });
    socket.end('GET / HTTP/1.0\r\n\r\n');
    assert.match(await text(socket), /web\n$/, said);
  } finally {
    child.kill('SIGTERM');
  }
}

const selfSubjectReview = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

/** Who the server takes us for, by kubectl. */
async function kubectlWhoami(config: string, env: Record<string, string> = {}): Promise<unknown> {
  // What `auth whoami` does, which is younger than `create`.
  const words = ['create', '--validate=false', '-f', '-', '-o', 'json'];
  const stdin = JSON.stringify(selfSubjectReview);
  const finished = await run('kubectl', words, { env: { KUBECONFIG: config, ...env }, stdin });
  assert.equal(finished.code, 0, finished.stderr);
  return (JSON.parse(finished.stdout) as Review).status.userInfo;
}

/** Who the server takes us for, by the library. */
async function ourWhoami(config: string): Promise<unknown> {
  const client = createKubeClient({ kubeconfig: config });
  const review = await client.request<Review>({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(selfSubjectReview),
  });
  client.close();
  return review.status.userInfo;
}

interface Review {
  status: { userInfo: { username: string; extra?: Record<string, unknown> } };
}

describe('proxy-url', () => {
  const kinds: [name: string, begin: () => Promise<TestProxy>][] = [
    ['http, with a password', () => startConnectProxy({ user })],
    [
      'https, with a certificate of the cluster authority or the system',
      () => startConnectProxy({ identity }),
    ],
    ['socks5', () => startSocksProxy()],
    ['socks5, with a password', () => startSocksProxy({ user })],
  ];
  for (const [name, begin] of kinds) {
    test(`everything goes through a proxy: ${name}`, async () => {
      await using proxy = await begin();
      const roots = join(folder, 'roots.pem');
      writeFileSync(roots, authority.cert);
      const env = { SSL_CERT_FILE: roots, NODE_EXTRA_CA_CERTS: roots };
      const url = new URL(proxy.url);
      if (url.username) url.password = encodeURIComponent(user.password);
      const bundle = Buffer.from(`${Buffer.from(ca, 'base64')}\n${authority.cert}`).toString('base64');
      const cluster = { ...hidden(), 'proxy-url': url.href, 'certificate-authority-data': bundle };
      const config = kubeconfig({ cluster, as: byToken() });
      const whoami = await kubectlWhoami(config, env);
      assert.deepEqual(await ourWhoami(config), whoami);
      proxy.asked.length = 0;
      await assertEverythingWorks(config, env);
      assert.deepEqual(new Set(proxy.asked), new Set([`${hiddenName}:${server.port}`]));
    });
  }

  test('socks5h is taken as socks5', async () => {
    await using proxy = await startSocksProxy();
    const cluster = { ...hidden(), 'proxy-url': proxy.url.replace('socks5', 'socks5h') };
    const config = kubeconfig({ cluster, as: byToken() });
    assert.match(JSON.stringify(await ourWhoami(config)), /robot/);
    assert.equal(proxy.asked.length, 1);
  });

  test('a proxy that refuses is named, without its password', async () => {
    await using proxy = await startConnectProxy({ user });
    const cluster = { ...hidden(), 'proxy-url': proxy.url.replace('it:is', 'wrong') };
    const config = kubeconfig({ cluster, as: byToken() });
    const { stderr, code } = await wherry(['exec', 'plain', '--', 'true'], { env: { KUBECONFIG: config } });
    assert.equal(code, 1);
    assert.match(stderr, /the proxy http:\/\/127.0.0.1:\d+ did not connect to kube.test:\d+: 407 Proxy/);
    assert.doesNotMatch(stderr, /secret/);
  });
});

test('HTTPS_PROXY and NO_PROXY are heeded, as kubectl heeds them', async () => {
  await using proxy = await startConnectProxy();
  const config = kubeconfig({ cluster: hidden(), as: byToken() });
  const env = { HTTPS_PROXY: proxy.url };
  await kubectlWhoami(config, env);
  await assertEverythingWorks(config, env);
  const seen = proxy.asked.length;
  const around = { KUBECONFIG: config, ...env, NO_PROXY: `other.test,${hiddenName}` };
  for (const words of [['kubectl'], [process.execPath, wherryEntry]] as const) {
    const [command = '', ...rest] = words;
    const finished = await run(command, [...rest, 'logs', 'says'], { env: around });
    assert.notEqual(finished.code, 0);
  }
  assert.equal(proxy.asked.length, seen);
});

test('loopback is reached straight, whatever HTTPS_PROXY says', async () => {
  const config = kubeconfig({ as: byToken() });
  const env = { KUBECONFIG: config, HTTPS_PROXY: 'http://127.0.0.1:1' };
  assert.equal((await wherry(['exec', 'plain', '--', 'echo', 'hi'], { env })).stdout, 'hi\n');
});

describe('exec plugins', () => {
  const skip = unlessKubectlHas('client.authentication.k8s.io/v1');
  const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

  /** A plugin that gives `status`, and leaves what it was told in a file. */
  function plugin(apiVersion: string, status: () => object, more: object = {}) {
    written += 1;
    const told = join(folder, `told-${written}`);
    const answer = join(folder, `answer-${written}`);
    writeFileSync(answer, JSON.stringify({ kind: 'ExecCredential', apiVersion, status: status() }));
    const script = join(folder, `plugin-${written}`);
    const lines = ['#!/bin/sh', `printf '%s\\n' "$KUBERNETES_EXEC_INFO" >> '${told}'`, `cat '${answer}'`];
    writeFileSync(script, `${lines.join('\n')}\n`, { mode: 0o755 });
    // Relative to the kubeconfig, which lies beside it.
    const command = `./plugin-${written}`;
    const exec = { apiVersion, command, interactiveMode: 'Never', provideClusterInfo: true, ...more };
    const runs = () => (existsSync(told) ? readFileSync(told, 'utf8').split('\n').filter(Boolean) : []);
    return { as: { exec }, told: () => runs().map((line) => JSON.parse(line) as unknown), answer };
  }

  for (const apiVersion of apiVersions) {
    test(`a token of ${apiVersion}: told as kubectl tells it, good for every stream`, { skip }, async () => {
      const { as, told } = plugin(apiVersion, byToken);
      const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'here', n: 1 } };
      const config = kubeconfig({ cluster: { 'tls-server-name': '127.0.0.1', extensions: [extension] }, as });
      const whoami = await kubectlWhoami(config);
      const byKubectl = told().at(-1);
      assert.deepEqual(await ourWhoami(config), whoami);
      assert.deepEqual(told().at(-1), byKubectl);
      await assertEverythingWorks(config);
    });
  }

  test('a client certificate of a plugin is shown on every connection', { skip }, async () => {
    const { cert, key } = certificate;
    const status = () => ({ clientCertificateData: cert, clientKeyData: key });
    const { as } = plugin('client.authentication.k8s.io/v1', status);
    const config = kubeconfig({ as });
    assert.deepEqual(await ourWhoami(config), await kubectlWhoami(config));
    await assertEverythingWorks(config);
    await using proxy = await startSocksProxy();
    await assertEverythingWorks(kubeconfig({ as, cluster: { ...hidden(), 'proxy-url': proxy.url } }));
  });

  test('a session that is refused with 401 asks the plugin once more and goes on', async () => {
    for (const transport of ['websocket', 'spdy', 'auto'] as const) {
      const { as, told, answer } = plugin('client.authentication.k8s.io/v1', () => ({ token: 'outdated' }));
      const client = createKubeClient({ kubeconfig: kubeconfig({ as }) });
      await client.access.credentials?.current();
      const right = {
        kind: 'ExecCredential',
        apiVersion: 'client.authentication.k8s.io/v1',
        status: byToken(),
      };
      writeFileSync(answer, JSON.stringify(right));
      const { stdout } = await captureExec(client, { pod: 'plain', command: ['echo', 'in'], transport });
      assert.deepEqual([stdout, told().length], ['in\n', 2]);
      client.close();
    }
  });

  test('a plugin that has nothing better to offer is not asked for ever', async () => {
    const { as, told } = plugin('client.authentication.k8s.io/v1', () => ({ token: 'wrong' }));
    const { stderr, code } = await wherry(['logs', 'says'], { env: { KUBECONFIG: kubeconfig({ as }) } });
    assert.equal(code, 1);
    assert.match(stderr, /You must be logged in to the server \(Unauthorized\)/);
    assert.equal(told().length, 2);
  });

  test('a plugin may ask at the terminal, as under kubectl', { skip }, async () => {
    const ask = `printf 'password: ' >&2; read -r word; printf '%s' "$word" >&2; cat '${join(folder, 'asked')}'`;
    const answer = { kind: 'ExecCredential', apiVersion: apiVersions[0], status: byToken() };
    writeFileSync(join(folder, 'asked'), JSON.stringify(answer));
    const exec = { apiVersion: apiVersions[0], command: 'sh', args: ['-c', ask], interactiveMode: 'Always' };
    const env = { KUBECONFIG: kubeconfig({ as: { exec } }) };
    for (const program of ['kubectl', `${process.execPath} ${wherryEntry}`]) {
      const child = node.startInTerminal(
        `${program} exec -it plain -- sh -c 'read -r x; echo "got $x"'`,
        env,
      );
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk;
      });
      await eventually(`${program} asks`, () => said.includes('password: '));
      child.stdin.write('open sesame\r');
      await eventually(`${program} has the answer`, () => said.includes('open sesame'));
      // What is typed from here on is the session's.
      await eventually(`${program} is in`, () => {
        if (said.includes('got after')) return true;
        child.stdin.write('after\r');
        return false;
      });
      child.kill('SIGKILL');
    }
  });

  test('--token goes before a plugin, which then does not run', async () => {
    const { as, told } = plugin('client.authentication.k8s.io/v1', byToken);
    const env = { KUBECONFIG: kubeconfig({ as }) };
    assert.equal((await wherry(['logs', '--token', token, 'says'], { env })).stdout, 'said\n');
    assert.deepEqual(told(), []);
  });
});

describe('the oidc auth-provider', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expired = [part({ alg: 'none' }), part({ exp: 1 }), 'x'].join('.');

  /** A user of that provider whose token has expired. */
  const userOf = (provider: IdentityProvider, more: Record<string, string> = {}) => ({
    'auth-provider': {
      name: 'oidc',
      config: {
        'idp-issuer-url': provider.url,
        'idp-certificate-authority-data': Buffer.from(authority.cert).toString('base64'),
        'client-id': 'kubernetes',
        'client-secret': 's:e c',
        'id-token': expired,
        'refresh-token': 'refresh-1',
        ...more,
      },
    },
  });

  for (const formOnly of [false, true]) {
    test(`refreshes as kubectl does, and keeps the tokens${formOnly ? ', by form' : ''}`, async () => {
      const outcomes = [];
      for (const whoami of [kubectlWhoami, ourWhoami]) {
        await using provider = await startIdentityProvider({ identity, idToken: token, formOnly });
        const config = kubeconfig({ as: userOf(provider) });
        const first = await whoami(config);
        // The token is good now: the provider is not asked again.
        const second = await whoami(config);
        const users = loadKubeconfig(config).users.get('u')?.['auth-provider']?.config;
        const { 'idp-issuer-url': _url, ...kept } = users ?? {};
        outcomes.push({ first, second, kept, requests: provider.requests });
      }
      assert.equal(outcomes[1]?.kept['refresh-token'], 'refresh-2');
      assert.deepEqual(outcomes[1], outcomes[0]);
    });
  }

  test('everything works by it, and a running client refreshes once for all', async () => {
    await using provider = await startIdentityProvider({ identity, idToken: token });
    await assertEverythingWorks(kubeconfig({ as: userOf(provider) }));
    assert.equal(provider.requests.length, 1);
    await using other = await startIdentityProvider({ identity, idToken: token });
    const client = createKubeClient({ kubeconfig: kubeconfig({ as: userOf(other) }) });
    const command = ['true'];
    await Promise.all([1, 2, 3].map(() => captureExec(client, { pod: 'plain', command })));
    assert.equal(other.requests.length, 1);
    client.close();
  });

  test('what goes wrong is said as kubectl says it', async () => {
    await using provider = await startIdentityProvider({ identity, idToken: token });
    const mistakes: Record<string, string>[] = [
      { 'refresh-token': '' },
      { 'id-token': 'x' },
      { 'client-id': '' },
      { 'idp-issuer-url': '' },
      { 'idp-issuer-url': `${provider.url}/nowhere` },
      { 'refresh-token': 'used' },
    ];
    for (const mistake of mistakes) {
      const env = { KUBECONFIG: kubeconfig({ as: userOf(provider, mistake) }) };
      const theirs = await run('kubectl', ['get', '--raw', '/version'], { env });
      const ours = await wherry(['exec', 'plain', '--', 'true'], { env });
      const beginning = (said: string) => said.slice(0, 'Unable to connect to the server: failed to'.length);
      assert.equal(beginning(ours.stderr), beginning(theirs.stderr), `${ours.stderr}${theirs.stderr}`);
      assert.equal(ours.code, theirs.code);
    }
  });
});

test('a server below a path, as behind Rancher: REST, logs and both kinds of upgrade', async () => {
  await using proxy = await startPrefixProxy({ prefix: '/k8s/clusters/c-1', backend: server, identity });
  const data = Buffer.from(authority.cert).toString('base64');
  for (const slash of ['', '/']) {
    const cluster = { server: proxy.url + slash, 'certificate-authority-data': data };
    const config = kubeconfig({ cluster, as: byToken() });
    assert.deepEqual(await ourWhoami(config), await kubectlWhoami(config));
    await assertEverythingWorks(config);
  }
  assert.deepEqual(
    proxy.asked.filter((path) => !/^\/k8s\/clusters\/c-1\/(api|version)/.test(path)),
    [],
  );
});

test('impersonation reaches the server as kubectl sends it', async () => {
  const as = {
    ...byToken(),
    as: 'jane',
    'as-uid': '42',
    'as-groups': ['developers', 'a, b'],
    'as-user-extra': { 'example.com/scope': ['x', 'y'], Reason: ['z'] },
  };
  const config = kubeconfig({ as });
  const whoami = await kubectlWhoami(config);
  for (const name of ['jane', 'developers']) assert.ok(JSON.stringify(whoami).includes(`"${name}"`), name);
  assert.deepEqual(await ourWhoami(config), whoami);
});

test('a token file that is rotated is read again when the server refuses the old token', async () => {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'expired');
  const client = createKubeClient({ kubeconfig: kubeconfig({ as: { tokenFile } }) });
  await assert.rejects(captureExec(client, { pod: 'plain', command: ['true'] }), { code: 401 });
  writeFileSync(tokenFile, `${token}\n`);
  assert.equal((await captureExec(client, { pod: 'plain', command: ['true'] })).exitCode, 0);
  client.close();
});

test('inside of a pod the service account is used, its namespace and its rotating token', async () => {
  const mount = join(folder, 'serviceaccount');
  mkdirSync(mount);
  writeFileSync(join(mount, 'ca.crt'), Buffer.from(ca, 'base64'));
  writeFileSync(join(mount, 'namespace'), 'default\n');
  writeFileSync(join(mount, 'token'), token);
  const environment = { KUBERNETES_SERVICE_HOST: server.hostname, KUBERNETES_SERVICE_PORT: server.port };
  assert.equal(inClusterAccess({ KUBERNETES_SERVICE_HOST: '127.0.0.1' }, mount), undefined);
  const access = inClusterAccess(environment, mount);
  assert.ok(access);
  const client = new KubeClient({ access });
  assert.equal((await captureExec(client, { pod: 'plain', command: ['true'] })).exitCode, 0);
  const next = await node.createToken('robot', 660);
  writeFileSync(join(mount, 'token'), next);
  await access.credentials?.replace({ token });
  assert.deepEqual(await access.credentials?.current(), { token: next });
  assert.equal((await captureExec(client, { pod: 'plain', command: ['true'] })).exitCode, 0);
  client.close();
});

test('a server at an IPv6 address is reached, straight and through a proxy', async () => {
  const v6 = { prefix: '', backend: server, identity, host: '::1' };
  await using front = await startPrefixProxy(v6);
  await using proxy = await startSocksProxy();
  await using http = await startConnectProxy();
  assert.match(front.url, /^https:\/\/\[::1\]:/);
  const data = Buffer.from(authority.cert).toString('base64');
  const cluster = {
    server: front.url,
    'tls-server-name': '127.0.0.1',
    'certificate-authority-data': data,
  };
  for (const more of [{}, { 'proxy-url': proxy.url }, { 'proxy-url': http.url }]) {
    const config = kubeconfig({ cluster: { ...cluster, ...more }, as: byToken() });
    for (const transport of ['websocket', 'spdy']) {
      const words = ['exec', '--transport', transport, 'plain', '--', 'echo', 'six'];
      const finished = await wherry(words, { env: { KUBECONFIG: config } });
      assert.equal(finished.stdout, 'six\n', finished.stderr);
    }
  }
  assert.ok(
    proxy.asked.every((target) => target.startsWith('::1:')),
    proxy.asked.join(),
  );
  assert.ok(
    http.asked.every((target) => target.startsWith('[::1]:')),
    http.asked.join(),
  );
});
