import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry } from '@wherry/telemetry';
import { SignJWT } from 'jose';
import { TestServer } from '../../../test/test-server.ts';
import { periods } from '../../limits.ts';
import { serviceAccountUserName } from '../identity.ts';
import { readServiceAccountKeys } from './keys.ts';
import { legacyIssuer } from './legacy-tokens.ts';

const core = '/api/v1/namespaces/default';

describe('a token that lives in a secret', () => {
  const clock = new FakeClock({ nowMs: Date.now() });
  const metrics = new MetricsRegistry();
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ clock, metrics });
  });
  after(() => server.close());

  /** The token in a secret of an account that lists it, or does not. */
  async function tokenOf(name: string, isListed: boolean): Promise<string> {
    const secret = `${name}-token`;
    const account = await server.request('POST', `${core}/serviceaccounts`, {
      body: { metadata: { name }, ...(isListed && { secrets: [{ name: secret }] }) },
    });
    const { uid } = account.body.metadata;
    const keys = readServiceAccountKeys(server.options.serviceAccountSigningKeyFile, []);
    const claim = (key: string) => `kubernetes.io/serviceaccount/${key}`;
    const token = await new SignJWT({
      [claim('namespace')]: 'default',
      [claim('service-account.name')]: name,
      [claim('service-account.uid')]: uid,
      [claim('secret.name')]: secret,
    })
      .setProtectedHeader({ alg: keys.algorithm, kid: keys.keyId })
      .setIssuer(legacyIssuer)
      .setSubject(serviceAccountUserName('default', name))
      .sign(keys.signing);
    const annotations = {
      'kubernetes.io/service-account.name': name,
      'kubernetes.io/service-account.uid': uid,
    };
    const made = await server.request('POST', `${core}/secrets`, {
      body: {
        metadata: { name: secret, annotations },
        type: 'kubernetes.io/service-account-token',
        data: { token: Buffer.from(token).toString('base64') },
      },
    });
    assert.equal(made.status, 201, made.text);
    return token;
  }
  const use = (token: string) => server.request('GET', '/version', { token, as: null });
  const uses = (name: string) =>
    Number(new RegExp(`^serviceaccount_${name}_total (.*)$`, 'm').exec(metrics.render())?.[1]);

  it('is warned of at each use where its account lists the secret, and not where somebody made it', async () => {
    const listed = await tokenOf('listed', true);
    const manual = await tokenOf('manual', false);
    for (let time = 1; time <= 2; time += 1) {
      const { status, headers } = await use(listed);
      assert.equal(status, 200);
      assert.match(String(headers['warning']), /^299 - "Use tokens from the TokenRequest API or manually/);
      assert.equal((await use(manual)).headers['warning'], undefined);
      assert.deepEqual(
        [uses('legacy_tokens'), uses('legacy_auto_token_uses'), uses('legacy_manual_token_uses')],
        [2 * time, time, time],
      );
    }
  });

  it('is refused, and counted, once somebody has marked it', async () => {
    const token = await tokenOf('marked', true);
    assert.equal((await use(token)).status, 200);
    await server.request('PATCH', `${core}/secrets/marked-token`, {
      type: 'application/merge-patch+json',
      body: { metadata: { labels: { 'kubernetes.io/legacy-token-invalid-since': '2026-01-01' } } },
    });
    clock.advance(periods.tokenRecheckMs);
    assert.equal((await use(token)).status, 401);
    assert.equal(uses('invalid_legacy_auto_token_uses'), 1);
  });
});
