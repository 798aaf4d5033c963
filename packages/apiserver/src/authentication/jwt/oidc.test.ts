import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { createLogger, type Logger, MetricsRegistry, silentLogger } from '@wherry/telemetry';
import type { JWTPayload } from 'jose';
import { IdentityProvider } from '../../../test/identity-provider.ts';
import { TestAuthority } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';
import { periods } from '../../limits.ts';
import { JwtAuthentication } from './jwt-authentication.ts';
import type { OidcOptions } from './oidc-options.ts';

const ownIssuer = 'https://kubernetes.default.svc';

function open(
  oidc: OidcOptions,
  clock: FakeClock,
  logger: Logger = silentLogger,
): Promise<JwtAuthentication> {
  const turns = () => async () => {};
  const metrics = new MetricsRegistry();
  return JwtAuthentication.open({ oidc }, { ownIssuers: [ownIssuer], clock, logger, metrics, turns });
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, 'waited in vain');
    await sleep(10);
  }
}

describe('ID tokens of an identity provider', () => {
  let folder: string;
  let authority: TestAuthority;
  let provider: IdentityProvider;
  let clock: FakeClock;
  let tokens: JwtAuthentication | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-oidc-'));
    authority = await TestAuthority.create('providers');
    writeFileSync(join(folder, 'ca.crt'), authority.cert);
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    clock = new FakeClock({ nowMs: Date.now() });
    provider = await IdentityProvider.start(authority);
  });
  afterEach(async () => {
    tokens?.close();
    tokens = undefined;
    await provider.close();
  });

  const given = (more: Partial<OidcOptions>): OidcOptions => ({
    ...{ issuerUrl: provider.url, clientId: 'wherry', caFile: join(folder, 'ca.crt') },
    ...more,
  });
  /** What the tokens of claims stand for, once the provider was found. */
  async function look(more: Partial<OidcOptions> = {}) {
    const opened = await open(given(more), clock);
    tokens = opened;
    await until(() => opened.areReady);
    return {
      of: (token: string) => opened.find(token),
      user: async (claims: JWTPayload, header = {}) => opened.find(await provider.token(claims, header)),
    };
  }

  it('name users by their claims, in groups, with the token that it was', async () => {
    const { user } = await look({ groupsClaim: 'groups', groupsPrefix: 'corp:' });
    assert.deepEqual(await user({ groups: ['dev', 'ops'], jti: 'one' }), {
      ...{ name: `${provider.url}#ada`, uid: '', groups: ['corp:dev', 'corp:ops'] },
      extra: { 'authentication.kubernetes.io/credential-id': ['JTI=one'] },
    });
    assert.deepEqual((await user({ groups: 'dev' }))?.groups, ['corp:dev']);
    assert.deepEqual((await user({ aud: ['other', 'wherry'] }))?.groups, []);
  });

  it('are no good past their time, before it, for others, of others, without what they need', async () => {
    const { user } = await look({ groupsClaim: 'groups' });
    const nowSeconds = Math.floor(clock.nowMs() / 1_000);
    for (const claims of [
      { exp: nowSeconds - 1 },
      { exp: undefined },
      { nbf: nowSeconds + 300 },
      { aud: 'other' },
      { iss: 'https://other.example' },
      { sub: undefined },
      { sub: 7 as unknown as string },
      { groups: [1] },
    ])
      assert.equal(await user(claims), undefined, JSON.stringify(claims));
    assert.ok(await user({ nbf: nowSeconds + 30 }), 'clocks differ a little');
  });

  it('are no good changed, unsigned or cut', async () => {
    const { of } = await look();
    const whole = await provider.token({});
    const [head, payload = '', signature] = whole.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    assert.ok(await of(whole));
    for (const token of [
      `${head}.${encode({ ...claims, sub: 'root' })}.${signature}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${head}.${payload}`,
      `${whole}.x`,
      '',
    ])
      assert.equal(await of(token), undefined, token);
  });

  it('that are no good are told of once a second, however many come', async () => {
    const said: string[] = [];
    const logger = createLogger('apiserver', { write: (line) => said.push(line) });
    const opened = await open(given({}), clock, logger);
    tokens = opened;
    await until(() => opened.areReady);
    const bad = await provider.token({ aud: 'other' });
    said.length = 0;
    for (let count = 0; count < 5; count++) await opened.find(bad);
    assert.equal(said.length, 1);
    assert.match(said[0] ?? '', /it is for none of \[\\"wherry\\"\]/);
    clock.advance(periods.refusedTokenMs);
    await opened.find(bad);
    assert.equal(said.length, 2);
  });

  it('are told by an email that is not said to be unverified, and have the claims that are asked for', async () => {
    const { user } = await look({
      ...{ usernameClaim: 'email', requiredClaims: { hd: 'example.com' } },
    });
    const good = { email: 'ada@example.com', hd: 'example.com' };
    assert.equal((await user(good))?.name, 'ada@example.com');
    assert.equal((await user({ ...good, email_verified: true }))?.name, 'ada@example.com');
    for (const claims of [
      { email_verified: false },
      { email_verified: 'true' },
      { hd: 'example.org' },
      { hd: undefined },
    ])
      assert.equal(await user({ ...good, ...claims }), undefined, JSON.stringify(claims));
  });

  it('are good by a new key at once, and keys are not asked for with each token that names none', async () => {
    const { user } = await look({ usernamePrefix: '-', signingAlgs: ['ES256', 'RS256'] });
    assert.equal((await user({}))?.name, 'ada');
    clock.advance(periods.identityKeysMs);
    await provider.rotate('second', 'ES256');
    assert.equal((await user({}))?.name, 'ada');
    const read = provider.keyReads;
    for (let count = 0; count < 20; count++) assert.equal(await user({}, { kid: `no ${count}` }), undefined);
    assert.equal(provider.keyReads, read);
    clock.advance(periods.identityKeysMs);
    await provider.rotate('third', 'PS256');
    assert.equal(await user({}), undefined, 'an algorithm that was not named');
  });

  it('that come at once while the keys are read wait for them', async () => {
    const { of } = await look();
    const token = await provider.token({});
    const found = await Promise.all(Array.from({ length: 5 }, () => of(token)));
    assert.deepEqual(
      found.map((user) => user?.name),
      found.map(() => `${provider.url}#ada`),
    );
    assert.equal(provider.keyReads, 1);
  });

  it('are refused until the provider is who it is said to be', async () => {
    provider.issuer = 'https://other.example';
    const opened = await open(given({}), clock);
    tokens = opened;
    // It waits for its next try.
    await until(() => provider.discoveries === 1 && clock.pendingTimers === 1);
    assert.equal(await opened.find(await provider.token({})), undefined);
    provider.issuer = provider.url;
    clock.advance(periods.identityProviderRetryMs);
    await until(() => opened.areReady);
    assert.ok(await opened.find(await provider.token({})));
  });

  it('let their users in, as far as roles allow, and are reviewed', async () => {
    const server = await TestServer.start({ oidc: given({ groupsClaim: 'groups' }) });
    try {
      const token = await provider.token({ groups: ['dev'] });
      const self = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const whoAmI = () => server.request('POST', self, { as: null, token, body: {} });
      await until(async () => (await whoAmI()).status === 201);
      const username = `${provider.url}#ada`;
      const userInfo = { username, groups: ['dev', 'system:authenticated'] };
      assert.deepEqual((await whoAmI()).body.status.userInfo, userInfo);
      assert.equal((await server.request('GET', '/api/v1/secrets', { as: null, token })).status, 403);
      const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
      const review = async (audiences?: string[]) =>
        (await server.request('POST', reviews, { body: { spec: { token, audiences } } })).body.status;
      const { audiences, ...told } = await review();
      assert.deepEqual(told, { authenticated: true, user: userInfo });
      assert.deepEqual(await review([...audiences, 'elsewhere']), { ...told, audiences });
      assert.deepEqual(await review(['elsewhere']), { user: {}, error: 'invalid bearer token' });
    } finally {
      await server.close();
    }
  });
});

it('a provider that can not be one is refused at the start', async () => {
  const clock = new FakeClock();
  const of = (more: object) => open({ issuerUrl: 'https://provider.example', clientId: 'c', ...more }, clock);
  await assert.rejects(of({ clientId: '' }), /--oidc-issuer-url and --oidc-client-id need each other/);
  for (const [issuerUrl, why] of [
    ['http://provider.example', 'URL scheme must be https'],
    ['x', 'URL scheme must be https'],
    ['https://a:b@c', 'URL must not contain a username or password'],
    ['https://c/?q', 'URL must not contain a query'],
    ['https://c/#f', 'URL must not contain a fragment'],
    [ownIssuer, 'URL must not overlap with disallowed issuers'],
  ])
    await assert.rejects(of({ issuerUrl }), (error: Error) =>
      error.message.startsWith(
        `invalid authentication configuration: jwt[0].issuer.url: Invalid value: "${issuerUrl}": ${why}`,
      ),
    );
  await assert.rejects(of({ signingAlgs: ['HS256'] }), /--oidc-signing-algs: "HS256" is none of RS256/);
});
