import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { createLogger } from '@wherry/telemetry';
import { TestAuthority } from '../../test/pki.ts';
import { TestReviewWebhook } from '../../test/test-review-webhook.ts';
import { TestServer } from '../../test/test-server.ts';
import { limits, periods } from '../limits.ts';
import { openTokenWebhook } from './open-token-webhook.ts';
import type { TokenWebhook, TokenWebhookOptions } from './token-webhook.ts';

const user = { username: 'ada', uid: '7', groups: ['dev'], extra: { 'example.com/team': ['blue'] } };

describe('a webhook that knows tokens', () => {
  let folder: string;
  let authority: TestAuthority;
  let webhook: TestReviewWebhook;
  let configFile: string;
  let clock: FakeClock;
  let said: string[];
  let tokens: TokenWebhook | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-token-webhook-'));
    authority = await TestAuthority.create('webhooks');
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    clock = new FakeClock({ nowMs: Date.now() });
    said = [];
    webhook = await TestReviewWebhook.start(authority);
    configFile = webhook.kubeconfig(join(folder, 'kubeconfig'));
  });
  afterEach(async () => {
    tokens?.close();
    tokens = undefined;
    await webhook.close();
  });

  const open = (more: Partial<TokenWebhookOptions> = {}) => {
    const logger = createLogger('apiserver', { write: (line) => said.push(line) });
    tokens = openTokenWebhook({ configFile, ...more }, { clock, logger });
    return (token: string, audiences: readonly string[] = ['api']) =>
      tokens!.find(token, { audiences, own: ['api', 'other'] });
  };

  it('is asked by a TokenReview for the audiences, and says who somebody is', async () => {
    webhook.answer = () => ({ status: { authenticated: true, user } });
    const find = open();
    assert.deepEqual(await find('t', ['api', 'x']), {
      user: { name: 'ada', uid: '7', groups: ['dev'], extra: { 'example.com/team': ['blue'] } },
      audiences: ['api'],
    });
    const [asked] = webhook.asked;
    assert.equal(asked?.url, '/review?timeout=30s');
    assert.equal(asked.authorization, 'Bearer of-the-server');
    const { kind, apiVersion, spec } = asked.review;
    assert.deepEqual(
      { kind, apiVersion, spec },
      {
        ...{ kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1beta1' },
        spec: { token: 't', audiences: ['api', 'x'] },
      },
    );
    await open({ version: 'v1' })('t');
    assert.equal(webhook.asked.at(-1)?.review.apiVersion, 'authentication.k8s.io/v1');
  });

  it('knows nobody where it does not say so, for other audiences, or names nobody', async () => {
    const find = open({ cacheTtlMs: 0 });
    for (const status of [
      {},
      { authenticated: false, user },
      { authenticated: true, user, audiences: ['elsewhere'] },
      { authenticated: true, user: {} },
      { authenticated: true },
      { authenticated: 'true', user },
      { authenticated: true, user: { ...user, groups: 'dev' } },
      { authenticated: true, user: { ...user, groups: [7] } },
      { authenticated: true, user: { ...user, extra: { a: 'b' } } },
      { authenticated: true, user: { username: 7 } },
    ]) {
      webhook.answer = () => ({ status });
      assert.equal(await find('t'), undefined, JSON.stringify(status));
    }
    for (const body of [
      '',
      '{',
      '7',
      '{}',
      JSON.stringify({ kind: 'TokenReview', apiVersion: 'v1', status: { authenticated: true, user } }),
    ]) {
      webhook.answer = () => ({ body });
      assert.equal(await find('t'), undefined, body);
    }
    webhook.answer = () => ({ body: 'x'.repeat(limits.reviewAnswerBytesMax + 1) });
    assert.equal(await find('t'), undefined);
  });

  it('is asked once a token while its word is remembered, and by many at once once', async () => {
    webhook.answer = ({ review }) => ({ status: { authenticated: review.spec['token'] === 'good', user } });
    const find = open({ cacheTtlMs: 1_000 });
    const all = await Promise.all(Array.from({ length: 5 }, () => find('good')));
    assert.ok(all.every((each) => each?.user.name === 'ada'));
    assert.equal(await find('bad'), undefined);
    assert.equal(await find('bad'), undefined);
    assert.equal(webhook.asked.length, 2);
    assert.ok(await find('good', ['other']));
    assert.equal(webhook.asked.length, 3, 'other audiences are another question');
    clock.advance(1_000);
    assert.ok(await find('good'));
    assert.equal(webhook.asked.length, 4);
  });

  it('is asked again where that may help, and failures are not remembered', async () => {
    const codes = [500, 504, 200, 503, 403];
    webhook.answer = () => {
      const code = codes.shift() ?? 200;
      return code === 200 ? { status: { authenticated: true, user } } : { code };
    };
    const find = open();
    const answered = find('t');
    // In small steps: what is under way has its time, too.
    while (webhook.asked.length < 3) {
      clock.advance(periods.accessWebhookRetryMs / 20);
      await sleep(5);
    }
    assert.ok(await answered);
    assert.equal(await find('u'), undefined);
    assert.equal(await find('u'), undefined);
    assert.ok(await find('u'));
  });

  it('whose word does not come in time is done without, and nothing of a token is logged', async () => {
    const secret = 'c2VjcmV0';
    webhook.answer = () => ({ code: 403, body: `no such token: ${secret}` });
    const find = open();
    assert.equal(await find(secret), undefined);
    webhook.answer = () => ({ body: `${secret} {` });
    clock.advance(periods.refusedTokenMs);
    assert.equal(await find(secret), undefined);
    webhook.answer = () => new Promise(() => {});
    clock.advance(periods.refusedTokenMs);
    const late = find(secret);
    while (webhook.asked.length < 3) await sleep(5);
    clock.advance(periods.accessWebhookMs);
    assert.equal(await late, undefined);
    assert.equal(said.length, 3);
    for (const line of said) assert.doesNotMatch(line, new RegExp(secret));
  });

  it('lets its users in, as far as roles allow, and reviews pass through it', async () => {
    webhook.answer = ({ review: { spec } }) =>
      spec['token'] === 'good'
        ? { status: { authenticated: true, user, audiences: spec['audiences'] } }
        : { status: {} };
    const server = await TestServer.start({ authenticationTokenWebhook: { configFile, version: 'v1' } });
    try {
      const self = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const { body } = await server.request('POST', self, { as: null, token: 'good', body: {} });
      const userInfo = { ...user, groups: ['dev', 'system:authenticated'] };
      assert.deepEqual(body.status.userInfo, userInfo);
      assert.equal((await server.request('GET', '/api/v1/secrets', { as: null, token: 'good' })).status, 403);
      assert.equal((await server.request('GET', '/api/v1/secrets', { as: null, token: 'bad' })).status, 401);
      const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
      const review = async (token: string, audiences?: string[]) =>
        (await server.request('POST', reviews, { body: { spec: { token, audiences } } })).body.status;
      assert.deepEqual(await review('good', ['elsewhere']), {
        ...{ authenticated: true, user: userInfo, audiences: ['elsewhere'] },
      });
      assert.deepEqual(await review('bad'), { user: {}, error: 'invalid bearer token' });
    } finally {
      await server.close();
    }
  });
});
