import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import type { JWTPayload } from 'jose';
import { IdentityProvider } from '../../../test/identity-provider.ts';
import { TestAuthority } from '../../../test/pki.ts';
import { TestServer } from '../../../test/test-server.ts';
import { periods } from '../../limits.ts';
import { JwtAuthentication } from './jwt-authentication.ts';

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  const deadlineMs = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadlineMs, 'waited in vain');
    await sleep(10);
  }
}

const document = (body: object, version = 'v1') =>
  JSON.stringify({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: 'AuthenticationConfiguration',
    ...body,
  });

describe('a file of identity providers', () => {
  const ownIssuer = 'https://kubernetes.default.svc';
  let folder: string;
  let file: string;
  let authority: TestAuthority;
  let provider: IdentityProvider;
  let clock: FakeClock;
  let metrics: MetricsRegistry;
  let said: string[];
  let opened: JwtAuthentication | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-authentication-'));
    file = join(folder, 'authentication.yaml');
    authority = await TestAuthority.create('providers');
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    clock = new FakeClock({ nowMs: Date.now() });
    metrics = new MetricsRegistry();
    said = [];
    provider = await IdentityProvider.start(authority);
  });
  afterEach(async () => {
    opened?.close();
    opened = undefined;
    await provider.close();
  });

  const usualMappings = { username: { claim: 'sub', prefix: '' } };
  /** One that the provider stands for at a path of its own. */
  const authenticator = (name: string, more: object = {}) => {
    provider.issuers.set(`/${name}`, `https://${name}.example`);
    return {
      issuer: {
        ...{ url: `https://${name}.example`, discoveryURL: `${provider.url}/${name}` },
        ...{ certificateAuthority: authority.cert, audiences: ['wherry'] },
      },
      claimMappings: usualMappings,
      ...more,
    };
  };
  const open = async (body: object, version = 'v1') => {
    writeFileSync(file, document(body, version));
    const logger = createLogger('apiserver', { write: (line) => said.push(line) });
    const turns = () => async () => {};
    opened = await JwtAuthentication.open(
      { file },
      { ownIssuers: [ownIssuer], clock, logger, metrics, turns },
    );
    return opened;
  };
  const find = async (name: string, claims: JWTPayload = {}) =>
    opened?.find(await provider.token({ iss: `https://${name}.example`, ...claims }));
  const reloads = (status: string) =>
    Number(new RegExp(`reloads_total{[^}]*status="${status}"} (\\d+)`).exec(metrics.render())?.[1] ?? 0);

  it('knows users by several of them, in any version, each by its own mappings and rules', async () => {
    const jwt = [
      authenticator('one', {
        claimMappings: {
          username: { expression: '"one:" + claims.sub' },
          groups: { expression: 'dyn(claims.?roles.orValue([])).map(role, "one:" + role)' },
          uid: { claim: 'id' },
          extra: [
            { key: 'example.com/team', valueExpression: 'claims.?team.orValue("")' },
            { key: 'example.com/none', valueExpression: '[]' },
          ],
        },
        claimValidationRules: [{ expression: 'claims.?hd.orValue("") != "evil"', message: 'not from there' }],
        userValidationRules: [{ expression: '!user.groups.exists(group, group.endsWith("root"))' }],
      }),
      authenticator('two'),
    ];
    const { areReady } = await open({ jwt }, 'v1beta1');
    assert.equal(areReady, false);
    await until(() => opened?.areReady ?? false);
    assert.deepEqual(await find('one', { id: '7', roles: ['dev'], team: 'blue' }), {
      ...{ name: 'one:ada', uid: '7', groups: ['one:dev'], extra: { 'example.com/team': ['blue'] } },
    });
    assert.deepEqual((await find('two'))?.name, 'ada');
    for (const claims of [
      { id: 7 },
      { hd: 'evil', id: '7' },
      { id: '7', roles: ['root'] },
      { id: '7', roles: [1] },
    ])
      assert.equal(await find('one', claims), undefined, JSON.stringify(claims));
    assert.equal(await find('three'), undefined);
  });

  it('shows nothing of a token where one is refused', async () => {
    const secret = 'c2VjcmV0';
    await open({
      jwt: [
        authenticator('one', {
          claimMappings: { username: { expression: 'string(int(claims.secret))' } },
        }),
        authenticator('two', { claimValidationRules: [{ claim: 'secret', requiredValue: 'x' }] }),
      ],
    });
    await until(() => opened?.areReady ?? false);
    said.length = 0;
    const tokens = await Promise.all(
      [
        { iss: 'https://one.example' },
        { iss: 'https://two.example' },
        { iss: 'https://two.example', aud: secret },
      ].map((claims) => provider.token({ ...claims, secret })),
    );
    for (const token of tokens) {
      assert.equal(await opened?.find(token), undefined);
      clock.advance(periods.refusedTokenMs);
    }
    assert.equal(said.length, 3);
    for (const line of said) assert.doesNotMatch(line, new RegExp(`${secret}|eyJ`));
  });

  it('is followed when it changes, once its providers are found, and not where it is wrong', async () => {
    const anonymous = { enabled: true, conditions: [{ path: '/livez' }] };
    await open({ jwt: [authenticator('one')], anonymous });
    await until(() => opened?.areReady ?? false);
    assert.match(
      metrics.render(),
      /last_config_info{apiserver_id_hash="sha256:[0-9a-f]{64}",hash="sha256:[0-9a-f]{64}"} 1/,
    );
    const change = async (body: object, status: string) => {
      const before = reloads(status);
      writeFileSync(file, document(body));
      clock.advance(periods.configurationFileMs);
      await until(() => reloads(status) > before);
    };
    await change({ jwt: [authenticator('one'), authenticator('two')], anonymous }, 'success');
    assert.equal((await find('two'))?.name, 'ada');
    await change({ jwt: [authenticator('one', { claimMappings: {} })], anonymous }, 'failure');
    assert.match(said.at(-1) ?? '', /jwt\[0\]\.claimMappings\.username: Required value/);
    await change({ jwt: [], anonymous: { enabled: true } }, 'failure');
    assert.match(said.at(-1) ?? '', /anonymous: Forbidden: changed from initial configuration file/);
    assert.equal((await find('two', { jti: 'still' }))?.name, 'ada');
    await change({ jwt: [], anonymous }, 'success');
    assert.equal(await find('two', { jti: 'gone' }), undefined);
    assert.equal(reloads('failure'), 2);
  });

  it('whose providers are not found within a minute is not followed, and is tried again', async () => {
    await open({ jwt: [authenticator('one')] });
    await until(() => opened?.areReady ?? false);
    const next = { jwt: [authenticator('two')] };
    provider.issuers.set('/two', 'https://other.example');
    const looks = provider.discoveries;
    writeFileSync(file, document(next));
    clock.advance(periods.configurationFileMs);
    await until(() => provider.discoveries > looks && clock.pendingTimers === 2);
    clock.advance(periods.configurationStartMs);
    await until(() => reloads('failure') === 1);
    assert.equal((await find('one'))?.name, 'ada');
    provider.issuers.set('/two', 'https://two.example');
    clock.advance(periods.configurationFileMs);
    await until(() => reloads('success') === 1);
    assert.equal((await find('two'))?.name, 'ada');
  });

  it('is refused at the start where it is wrong, and beside the flags of one provider', async () => {
    const one = authenticator('one');
    await assert.rejects(
      open({ jwt: [{ ...one, secret: 'x' }] }),
      /^SettingsError: the authentication configuration .*authentication\.yaml: unknown field "jwt\[0\]\.secret"/,
    );
    await assert.rejects(open({ jwt: [] }, 'v2'), /apiVersion must be apiserver\.config\.k8s\.io\/v1 or/);
    await assert.rejects(open({ jwt: [{}] }), /jwt\[0\]\.issuer\.url: Required value/);
    await assert.rejects(open({ jwt: 7 }), /jwt must be a list/);
    const parts = { ownIssuers: [ownIssuer], clock, metrics, turns: () => async () => {} };
    const logger = createLogger('apiserver', { write: () => {} });
    const oidc = { issuerUrl: 'https://x.example', clientId: 'x' };
    await assert.rejects(
      JwtAuthentication.open({ file, oidc }, { ...parts, logger }),
      /--authentication-config and the flags --oidc-\* exclude each other/,
    );
  });

  it('says for which paths who shows nothing may ask', async () => {
    writeFileSync(file, document({ anonymous: { enabled: true, conditions: [{ path: '/livez' }] } }));
    const server = await TestServer.start({ authenticationConfig: file });
    try {
      const status = async (path: string) => (await server.request('GET', path, { as: null })).status;
      assert.equal(await status('/livez?verbose'), 200);
      assert.equal(await status('/livez/ping'), 401);
      assert.equal(await status('/version'), 401);
      Object.assign(server.options, { anonymousAuth: true });
      await assert.rejects(server.restart(), /anonymous: Forbidden: --anonymous-auth/);
      Object.assign(server.options, { authenticationConfig: undefined, anonymousAuth: false });
      await server.restart();
      assert.equal(await status('/livez'), 401);
      Object.assign(server.options, { anonymousAuth: undefined, authorizationMode: ['AlwaysAllow'] });
      await server.restart();
      assert.equal(await status('/livez'), 401);
      assert.equal((await server.request('GET', '/api/v1/secrets')).status, 200);
    } finally {
      await server.close();
    }
  });
});
