import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import type { JWTPayload } from 'jose';
import { IdentityProvider } from '../../../test/identity-provider.ts';
import { TestAuthority } from '../../../test/pki.ts';
import { limits, periods } from '../../limits.ts';
import { JwtAuthentication } from './jwt-authentication.ts';

describe('a claim of an ID token that is told elsewhere', () => {
  let folder: string;
  let authority: TestAuthority;
  let provider: IdentityProvider;
  let other: IdentityProvider;
  let clock: FakeClock;
  let tokens: JwtAuthentication;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-claims-'));
    authority = await TestAuthority.create('providers');
    writeFileSync(join(folder, 'ca.crt'), authority.cert);
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    clock = new FakeClock({ nowMs: Date.now() });
    provider = await IdentityProvider.start(authority);
    other = await IdentityProvider.start(authority);
    const oidc = {
      ...{ issuerUrl: provider.url, clientId: 'wherry', caFile: join(folder, 'ca.crt') },
      groupsClaim: 'groups',
    };
    tokens = await JwtAuthentication.open(
      { oidc },
      {
        ...{ ownIssuers: [], clock, logger: silentLogger, metrics: new MetricsRegistry() },
        turns: () => async () => {},
      },
    );
    while (!tokens.areReady) await sleep(5);
  });
  afterEach(async () => {
    tokens.close();
    await provider.close();
    await other.close();
  });

  /** In which groups a token's bearer is that leaves its groups to a source; undefined where it is refused. */
  async function groups(source: object, more: JWTPayload = {}): Promise<string[] | undefined> {
    const claims = { _claim_names: { groups: 'src' }, _claim_sources: { src: source } };
    return [...((await tokens.find(await provider.token({ ...claims, ...more })))?.groups ?? ['refused'])];
  }
  const refused = ['refused'];
  const tells = (at: IdentityProvider, path: string, text: string, status = 200) => {
    at.elsewhere.set(path, () => ({ status, text }));
    return { endpoint: `${at.url}${path}` };
  };

  it('is asked for there, with the token that is for it', async () => {
    const told = await provider.token({ groups: ['dev', 'ops'] });
    let asked: string | undefined;
    provider.elsewhere.set('/groups', ({ headers }) => {
      asked = headers.authorization;
      return { text: told };
    });
    const source = { endpoint: `${provider.url}/groups`, access_token: 'f005ba11' };
    assert.deepEqual(await groups(source), ['dev', 'ops']);
    assert.equal(asked, 'Bearer f005ba11');
    assert.deepEqual(await groups({ endpoint: `${provider.url}/groups` }, { jti: 'two' }), ['dev', 'ops']);
    assert.equal(asked, undefined);
    assert.deepEqual(await groups(source, { groups: ['own'] }), ['own']);
  });

  it('is believed of whoever has signed it, once he is found by his own documents', async () => {
    const source = tells(other, '/groups', await other.token({ groups: 'theirs' }));
    assert.deepEqual(await groups(source), ['theirs']);
    const forged = tells(other, '/forged', await other.token({ iss: provider.url, groups: ['admins'] }));
    assert.deepEqual(await groups(forged), refused);
    const nobody = tells(other, '/nobody', await other.token({ iss: 'https://127.0.0.1:1', groups: ['a'] }));
    const looked = groups(nobody);
    for (let tick = 0; tick < 20; tick += 1) {
      await sleep(10);
      clock.advance(periods.claimIssuerMs / 10);
    }
    assert.deepEqual(await looked, refused);
  });

  it('is refused past its time, for others, without the claim, and where the answer is none', async () => {
    const nowSeconds = Math.floor(clock.nowMs() / 1_000);
    const good = { groups: ['dev'] };
    for (const [index, claims] of [
      { ...good, exp: nowSeconds - 1 },
      { ...good, aud: 'other' },
      { other: 'claim' },
      { groups: [1] },
    ].entries())
      assert.deepEqual(await groups(tells(provider, `/${index}`, await provider.token(claims))), refused);
    assert.deepEqual(await groups(tells(provider, '/404', await provider.token(good), 404)), refused);
    assert.deepEqual(await groups(tells(provider, '/302', await provider.token(good), 302)), refused);
    assert.deepEqual(await groups(tells(provider, '/text', 'no token')), refused);
    const long = ' '.repeat(limits.identityDocumentBytesMax) + (await provider.token(good));
    assert.deepEqual(await groups(tells(provider, '/long', long)), refused);
    assert.deepEqual(await groups({ endpoint: 'https://127.0.0.1:1/' }), refused);
    assert.deepEqual(await groups({ endpoint: `http${provider.url.slice(5)}/0` }), refused);
    assert.deepEqual(await groups({ endpoint: 'no address' }), refused);
  });

  it('is nowhere where its source has no address, and refused where sources are no such thing', async () => {
    assert.deepEqual(await groups({}), []);
    assert.deepEqual(await groups({ JWT: 'aggregated' }), []);
    for (const odd of [
      { _claim_sources: undefined },
      { _claim_sources: {} },
      { _claim_sources: 'src' },
      { _claim_sources: { src: [] } },
      { _claim_sources: { src: { endpoint: 7 } } },
      { _claim_names: { groups: 7 } },
      { _claim_names: [] },
      { _claim_names: { other: 'gone' }, _claim_sources: undefined },
    ])
      assert.deepEqual(await groups({}, odd), refused, JSON.stringify(odd));
    assert.deepEqual(await groups({}, { _claim_names: { other: 'gone' } }), []);
  });

  it('may be signed by so many that the first are forgotten, and found again', async () => {
    const source = tells(other, '/groups', await other.token({ groups: ['theirs'] }));
    assert.deepEqual(await groups(source), ['theirs']);
    assert.equal(other.discoveries, 1);
    for (let count = 0; count < limits.claimIssuersMax; count += 1) {
      const iss = `${provider.url}/${count}`;
      provider.issuers.set(`/${count}/.well-known/openid-configuration`, iss);
      const told = await provider.token({ iss, groups: [`of-${count}`] });
      assert.deepEqual(await groups(tells(provider, `/at-${count}`, told)), [`of-${count}`]);
    }
    assert.deepEqual(await groups(source, { jti: 'again' }), ['theirs']);
    assert.equal(other.discoveries, 2);
  });
});
