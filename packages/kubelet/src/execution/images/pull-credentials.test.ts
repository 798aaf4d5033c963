import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '@wherry/kubeapi';
import { credentialsFor, registryCredentials } from './pull-credentials.ts';
import { matchesPattern } from './registry-match.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const secretOf = (document: object, type = 'kubernetes.io/dockerconfigjson'): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: 'default', uid: 'u1' },
  type,
  data: {
    [type === 'kubernetes.io/dockercfg' ? '.dockercfg' : '.dockerconfigjson']: base64(
      JSON.stringify(document),
    ),
  },
});
/** A secret whose user names are the given ones. */
const loginsOf = (logins: Record<string, string>) =>
  secretOf({
    auths: Object.fromEntries(
      Object.entries(logins).map(([registry, user]) => [registry, { auth: base64(`${user}:pass:word`) }]),
    ),
  });
const usersFor = (image: string, ...secrets: Secret[]) =>
  credentialsFor(image, registryCredentials(secrets)).map(({ auth }) => auth.username);

test('several secrets for one registry are all tried, in their order', () => {
  const secrets = ['first', 'second', 'third'].map((user) => loginsOf({ 'r.example': user }));
  assert.deepEqual(usersFor('r.example/team/app:1', ...secrets), ['first', 'second', 'third']);
});

test('the more precise entry goes first, then the less precise ones', () => {
  const secret = loginsOf({ 'r.example': 'all', 'r.example/team': 'team', 'r.example/team/app': 'app' });
  assert.deepEqual(usersFor('r.example/team/app:1', secret), ['app', 'team', 'all']);
  assert.deepEqual(usersFor('r.example/other:1', secret), ['all']);
});

// The first column is what upstream's tests and documentation name as keys.
const keys: [key: string, image: string, isMeant: boolean][] = [
  ['r.example', 'r.example/app', true],
  ['r.example', 'r.example:5000/app', false],
  ['r.example:5000', 'r.example:5000/app:1', true],
  ['https://r.example:5000/v2/', 'r.example:5000/app', true],
  ['http://r.example/v1/', 'r.example/app@sha256:0123', true],
  ['https://r.example/v1/team', 'r.example/team/app', true],
  ['*.example', 'r.example/app', true],
  ['*.example', 'a.r.example/app', false],
  ['*.*.example', 'a.r.example/app', true],
  ['r[0-9].example', 'r7.example/app', true],
  ['r[^0-9].example', 'r7.example/app', false],
  ['*.dkr.ecr.*.amazonaws.com', '1234.dkr.ecr.eu-west-1.amazonaws.com/app', true],
  ['*.r.example:5000/team', 'a.r.example:5000/team/app', true],
  ['*.r.example:5000/team', 'a.r.example:5000/other/app', false],
  ['r[.example', 'r[.example/app', false],
  ['https://index.docker.io/v1/', 'busybox', true],
  ['https://index.docker.io/v1/', 'team/app:1', true],
  ['https://index.docker.io/v1/', 'docker.io/team/app:1', true],
  ['docker.io/team', 'team/app', true],
  ['docker.io/team', 'other/app', false],
  ['https://index.docker.io/v1/', 'localhost/app', false],
  ['https://index.docker.io/v1/', 'localhost:5000/app', false],
  ['localhost:5000', 'localhost:5000/app:1', true],
];
for (const [key, image, isMeant] of keys) {
  test(`a login to ${key} is ${isMeant ? '' : 'not '}used for ${image}`, () => {
    assert.deepEqual(usersFor(image, loginsOf({ [key]: 'user' })), isMeant ? ['user'] : []);
  });
}

test('what Docker Hub is told is told to no host without dots, whose name is one for its capital letter', () => {
  const secret = loginsOf({ 'https://index.docker.io/v1/': 'hub', Elsewhere: 'own' });
  assert.deepEqual(usersFor('Elsewhere/team/app', secret), ['own']);
  assert.deepEqual(usersFor('Other/team/app', secret), []);
  assert.deepEqual(usersFor('elsewhere/app', secret), ['hub']);
});

test('an entry for Docker Hub by name goes before the one of the index', () => {
  const secret = loginsOf({ 'https://index.docker.io/v1/': 'index', 'docker.io/team': 'team' });
  assert.deepEqual(usersFor('team/app', secret), ['team']);
  assert.deepEqual(usersFor('other/app', secret), ['index']);
});

test('both kinds of secrets are read; the auth field counts before name and password', () => {
  const old = secretOf({ 'r.example': { username: 'old', password: 'p' } }, 'kubernetes.io/dockercfg');
  const both = secretOf({ auths: { 'r.example': { username: 'name', auth: base64('auth:a:b') } } });
  const found = credentialsFor('r.example/app', registryCredentials([old, both]));
  assert.deepEqual(
    found.map(({ auth }) => [auth.username, auth.password]),
    [
      ['old', 'p'],
      ['auth', 'a:b'],
    ],
  );
  assert.deepEqual(usersFor('r.example/app', { ...old, type: 'Opaque' }), []);
});

test('a secret that can not be read is told by name', () => {
  for (const [document, why] of [
    [{ auths: { 'r.example': { auth: base64('nocolon') } } }, /must be formatted as base64/],
    [{ auths: [] }, /unmarshal json/],
    [{ auths: { 'r.example': { username: 7 } } }, /unmarshal json/],
  ] as const) {
    const secret = secretOf(document);
    assert.throws(() => usersFor('r.example/app', secret), { message: why });
    assert.throws(() => usersFor('r.example/app', secret), {
      message: /^pull secret "default\/login" can not be read/,
    });
  }
});

test('a pattern of many stars takes no long time', () => {
  assert.equal(matchesPattern(`${'*a'.repeat(200)}b`, 'a'.repeat(20_000)), false);
});

test('a login knows its secret, and the hash by which upstream tells it from others', () => {
  const secret = secretOf({ auths: { 'r.example': { username: 'a&b', password: 'p', email: 'e' } } });
  const [login] = credentialsFor('r.example/app', registryCredentials([secret]));
  const { uid, namespace, name, credentialHash } = login?.secret ?? {};
  assert.deepEqual([uid, namespace, name], ['u1', 'default', 'login']);
  // sha256 of {"username":"a\u0026b","password":"p","email":"e"}
  assert.equal(credentialHash, 'f3d16f2637fa414af7f93668d2197dfceab22fbe85d1461e5da7908e1b0314ee');
});
