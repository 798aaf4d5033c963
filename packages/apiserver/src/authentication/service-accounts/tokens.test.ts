import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { SignJWT } from 'jose';
import { periods } from '../../limits.ts';
import { ServiceAccountTokens } from './tokens.ts';

const issuer = 'https://issuer.test';
const { privateKey: elliptic } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const idOf = (key: KeyObject) =>
  createHash('sha256')
    .update(createPublicKey(key).export({ type: 'spki', format: 'der' }))
    .digest('base64url');

function made() {
  const clock = new FakeClock();
  const verifying = new Map([elliptic, rsa].map((key) => [idOf(key), createPublicKey(key)]));
  const keys = { signing: elliptic, algorithm: 'ES256' as const, keyId: idOf(elliptic), verifying };
  const states: { state: 'alive' | 'gone' } = { state: 'alive' };
  const tokens = new ServiceAccountTokens({
    ...{
      keys,
      issuers: { first: issuer, all: [issuer] },
      audiences: ['api'],
      clock,
      metrics: new MetricsRegistry(),
    },
    stateOf: async () => states.state,
  });
  const nowSeconds = Math.floor(clock.nowMs() / 1000);
  const signed = (
    claims: object,
    { key = elliptic, alg = 'ES256' }: { key?: KeyObject; alg?: string } = {},
  ) =>
    new SignJWT({
      ...{ iss: issuer, sub: 'system:serviceaccount:default:robot', aud: ['api'] },
      ...{ iat: nowSeconds, nbf: nowSeconds, exp: nowSeconds + 600 },
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'robot', uid: 'u' } },
      ...claims,
    })
      .setProtectedHeader({ alg, kid: idOf(key) })
      .sign(key);
  const isGood = async (token: string) => (await tokens.verify(token)) !== null;
  return { clock, tokens, nowSeconds, signed, isGood, states };
}

describe('a token', () => {
  it('that is known is not good before it begins, and is looked at anew, when the clock is set back', async () => {
    const { signed, isGood, clock, states } = made();
    const known = await signed({});
    assert.equal(await isGood(known), true);
    const nowSeconds = Math.floor(clock.nowMs() / 1000) + 1_200;
    clock.jumpWallClock(1_200_000);
    const ofThen = await signed({ iat: nowSeconds, nbf: nowSeconds, exp: nowSeconds + 600 });
    const lasting = await signed({ exp: nowSeconds + 600 });
    assert.deepEqual([await isGood(ofThen), await isGood(lasting)], [true, true]);
    clock.jumpWallClock(-1_200_000);
    assert.equal(await isGood(ofThen), false);
    clock.advance(periods.tokenRecheckMs);
    states.state = 'gone';
    assert.equal(await isGood(lasting), false);
  });

  it('is good a minute longer and earlier than it says: clocks of servers differ', async () => {
    const { nowSeconds, signed, isGood, clock } = made();
    assert.equal(await isGood(await signed({ nbf: nowSeconds + 55, iat: nowSeconds + 55 })), true);
    assert.equal(await isGood(await signed({ nbf: nowSeconds + 70 })), false);
    assert.equal(await isGood(await signed({ iat: nowSeconds + 70 })), false);
    assert.equal(await isGood(await signed({ exp: nowSeconds - 55 })), true);
    assert.equal(await isGood(await signed({ exp: nowSeconds - 70 })), false);
    const known = await signed({ exp: nowSeconds + 10 });
    assert.equal(await isGood(known), true);
    await clock.advance(65_000);
    assert.equal(await isGood(known), true, 'one that was looked at before');
    await clock.advance(10_000);
    assert.equal(await isGood(known), false);
  });

  it('says an algorithm that its key has, or is none', async () => {
    const { signed, isGood } = made();
    assert.equal(await isGood(await signed({}, { key: rsa, alg: 'RS256' })), true);
    assert.equal(await isGood(await signed({}, { key: rsa, alg: 'RS512' })), true);
    assert.equal(await isGood(await signed({}, { key: rsa, alg: 'PS256' })), false);
    const [, body, signature] = (await signed({})).split('.');
    for (const alg of ['RS256', 'RS512', 'ES384', 'HS256', 'none', 'x']) {
      const head = Buffer.from(JSON.stringify({ alg, kid: idOf(elliptic) })).toString('base64url');
      assert.equal(await isGood(`${head}.${body}.${signature}`), false, alg);
    }
  });

  it('of a pod whose node is not there names the node without a uid', async () => {
    const { tokens } = made();
    const terms = { audiences: ['api'], lifetimeSeconds: 600 };
    const bound = { kind: 'Pod' as const, name: 'p', uid: 'pod-uid' };
    const claims = { namespace: 'default', name: 'robot', uid: 'u', bound, node: { name: 'n1' } };
    const { token } = await tokens.issue(claims, terms);
    const { extra } = (await tokens.verify(token))!.user;
    assert.deepEqual(
      Object.entries(extra).filter(([name]) => name.includes('node')),
      [['authentication.kubernetes.io/node-name', ['n1']]],
    );
  });
});
