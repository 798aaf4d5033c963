import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Credentials, TestAuthority, writeFiles } from '../../test/pki.ts';
import { TestServer } from '../../test/test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-front-proxy-'));
const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
const believing = {
  requestheaderAllowedNames: ['proxy', 'other-proxy'],
  requestheaderUsernameHeaders: ['X-Remote-User', 'X-Login'],
};
let proxies: TestAuthority;
let server: TestServer;

before(async () => {
  proxies = await TestAuthority.create('front-proxy-ca');
  const files = writeFiles(folder, { 'proxy-ca.crt': proxies.cert });
  server = await TestServer.start({
    ...believing,
    requestheaderClientCaFile: files['proxy-ca.crt'],
  });
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const names = { 'X-Remote-User': 'ann', 'X-Remote-Group': 'devs' };

/** Whom the server takes someone for: status, name, groups without those that it gives itself. */
async function whoIs(as: Credentials | null, headers: Record<string, string | string[]>, token?: string) {
  const ask = { body: review, as, headers: headers as Record<string, string>, ...(token ? { token } : {}) };
  const { status, body } = await server.request(
    'POST',
    '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    ask,
  );
  return status === 201 ? body.status.userInfo : status;
}

test('a proxy that shows its certificate says who asks: name, uid, groups and extra', async () => {
  const proxy = await proxies.issue({ name: 'proxy' });
  const user = await whoIs(proxy, {
    ...{ 'X-Remote-User': 'ann', 'X-Remote-Uid': 'u-1', 'X-Remote-Group': ['devs', '', 'ops, or so'] },
    ...{ 'X-Remote-Extra-Example.com%2fScopes': ['a', 'b'], 'X-Remote-Extra-50%': 'odd' },
  });
  assert.deepEqual(user, {
    ...{ username: 'ann', uid: 'u-1', groups: ['devs', 'ops, or so', 'system:authenticated'] },
    extra: { 'example.com/scopes': ['a', 'b'], '50%': ['odd'] },
  });
  assert.equal((await whoIs(proxy, { 'x-login': 'bob', 'X-Remote-User': '' })).username, 'bob');
});

test('nobody else is believed: no certificate, a client’s, another name, another authority', async () => {
  assert.equal(await whoIs(null, names), 403);
  assert.equal((await whoIs(server.admin, names)).username, 'admin');
  const client = await server.authority.issue({ name: 'proxy', groups: ['some'] });
  assert.equal((await whoIs(client, names)).username, 'proxy');
  assert.equal(await whoIs(await proxies.issue({ name: 'stranger' }), names), 401);
  const strangers = await TestAuthority.create('front-proxy-ca');
  assert.equal(await whoIs(await strangers.issue({ name: 'proxy' }), names), 401);
});

test('a proxy that names nobody is no client, whatever its certificate says', async () => {
  const proxy = await proxies.issue({ name: 'proxy', groups: ['system:masters'] });
  assert.equal(await whoIs(proxy, {}), 401);
  assert.equal(await whoIs(proxy, { 'X-Remote-Group': 'devs' }), 401);
});

test('with an authority in between a certificate is good where its file has that authority', async () => {
  const between = await proxies.intermediate('between-proxies');
  const chained = async (authority: TestAuthority, name: string) => {
    const { cert, key } = await authority.issue({ name, groups: ['system:masters'] });
    return { cert: `${cert}\n${authority.cert}`, key };
  };
  assert.equal(await whoIs(await chained(between, 'proxy'), names), 401);
  assert.equal(await whoIs(await chained(between, 'admin'), {}), 401);
  const files = writeFiles(folder, { 'proxy-cas.crt': `${proxies.cert}\n${between.cert}` });
  const other = await TestServer.start({ ...believing, requestheaderClientCaFile: files['proxy-cas.crt'] });
  try {
    const asks = { body: review, headers: names, as: await chained(between, 'proxy') };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    assert.equal((await other.request('POST', path, asks)).body.status.userInfo.username, 'ann');
    const stranger = { body: review, as: await chained(between, 'admin') };
    assert.equal((await other.request('POST', path, stranger)).status, 401);
  } finally {
    await other.close();
  }
});

test('without --requestheader-username-headers no proxy is believed, and clients may have an authority in between', async () => {
  const files = writeFiles(folder, { 'proxy-ca.crt': proxies.cert });
  const other = await TestServer.start({ requestheaderClientCaFile: files['proxy-ca.crt'] });
  try {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const proxy = { body: review, headers: names, as: await proxies.issue({ name: 'proxy' }) };
    assert.equal((await other.request('POST', path, proxy)).status, 401);
    const between = await other.authority.intermediate('between-clients');
    const { cert, key } = await between.issue({ name: 'zoe' });
    const client = { body: review, as: { cert: `${cert}\n${between.cert}`, key } };
    assert.equal((await other.request('POST', path, client)).body.status.userInfo.username, 'zoe');
  } finally {
    await other.close();
  }
});

test('what a proxy says of a user is not handed on, and who may not is told by that name', async () => {
  const proxy = await proxies.issue({ name: 'proxy' });
  const { status, body } = await server.request('GET', '/api/v1/secrets', { as: proxy, headers: names });
  assert.equal(status, 403);
  assert.match(body.message, /^secrets is forbidden: User "ann" cannot list resource "secrets"/);
});

test('a certificate that has ended is believed no more on a connection that stands', async () => {
  const proxy = await proxies.issue({ name: 'proxy', lifetimeMs: 2_000 });
  assert.equal((await whoIs(proxy, names)).username, 'ann');
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  assert.equal(await whoIs(proxy, names), 401);
});
