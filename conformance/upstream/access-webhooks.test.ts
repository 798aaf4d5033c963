/** Webhooks that are asked by ours and by Kubernetes' own API server: in which words, and what comes of each answer. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  type AskedReview,
  type ReviewAnswer,
  TestReviewWebhook,
} from '../../packages/apiserver/test/test-review-webhook.ts';
import { TwoServers } from './two-servers.ts';

const user = { username: 'ada', uid: '7', groups: ['dev'], extra: { 'example.com/team': ['blue'] } };
const own = 'https://kubernetes.default.svc.cluster.local';

/** What a webhook says of a token of that name. */
const tokens: Readonly<Record<string, ReviewAnswer>> = {
  good: { status: { authenticated: true, user } },
  'good-for-us': { status: { authenticated: true, user, audiences: ['x', own] } },
  'good-for-others': { status: { authenticated: true, user, audiences: ['x'] } },
  bad: { status: { authenticated: false, user } },
  'bad-with-an-error': { status: { authenticated: false, error: 'no' } },
  'no-status': { status: {} },
  'no-groups': { status: { authenticated: true, user: { username: 'ada' } } },
  authenticated: {
    status: { authenticated: true, user: { username: 'ada', groups: ['system:authenticated'] } },
  },
  anonymous: { status: { authenticated: true, user: { username: 'system:anonymous', groups: ['a'] } } },
  unauthenticated: {
    status: { authenticated: true, user: { username: 'x', groups: ['system:unauthenticated'] } },
  },
  masters: { status: { authenticated: true, user: { username: 'root', groups: ['system:masters'] } } },
  'a-number': { status: { authenticated: true, user: { username: 7 } } },
  'groups-that-are-a-text': { status: { authenticated: true, user: { username: 'x', groups: 'a' } } },
  'authenticated-by-a-text': { status: { authenticated: 'true', user } },
  'no-json': { body: '{' },
  nothing: { body: '' },
  'no-kind': { body: JSON.stringify({ status: { authenticated: true, user } }) },
  'another-kind': { body: JSON.stringify({ kind: 'Pod', apiVersion: 'v1', status: {} }) },
  refused: { code: 403 },
  redirected: { code: 302 },
};

for (const version of ['v1', 'v1beta1'] as const)
  describe(`a webhook for tokens by ${version}`, () => {
    let two: TwoServers;
    let webhook: TestReviewWebhook;
    before(async () => {
      two = await TwoServers.start({
        ...{ port: version === 'v1' ? 26_471 : 26_473, etcdPort: version === 'v1' ? 26_472 : 26_474 },
        async prepare({ authority, folder }) {
          webhook = await TestReviewWebhook.start(authority);
          webhook.answer = ({ review: { spec } }) => tokens[String(spec['token'])] ?? { status: {} };
          const configFile = webhook.kubeconfig(join(folder, 'webhook.json'));
          const name = '--authentication-token-webhook';
          return {
            options: { authenticationTokenWebhook: { configFile, version } },
            flags: [`${name}-config-file=${configFile}`, `${name}-version=${version}`],
          };
        },
      });
    });
    after(async () => {
      await two?.close();
      await webhook?.close();
    });

    async function whoIs(url: string, token: string): Promise<object | number> {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
      const headers = { authorization: `Bearer ${token}` };
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
      const { code, text } = await two.ask(url, { method: 'POST', path, body, headers, as: null });
      return code === 201 ? JSON.parse(text).status.userInfo : code;
    }

    async function review(url: string, token: string, audiences: string[]): Promise<object> {
      const path = '/apis/authentication.k8s.io/v1/tokenreviews';
      const body = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token, audiences },
      };
      const { text } = await two.ask(url, { method: 'POST', path, body });
      const { error: _error, ...status } = JSON.parse(text).status;
      return status;
    }

    for (const token of Object.keys(tokens)) {
      it(`that says of a token "${token}" is understood alike`, async () => {
        const [ours, theirs] = [await whoIs(two.urls[0], token), await whoIs(two.urls[1], token)];
        assert.deepEqual(ours, theirs);
      });

      it(`that says of a token "${token}" in a review for some audience is understood alike`, async () => {
        for (const audiences of [[], ['x'], [own, 'x'], ['elsewhere']]) {
          const [ours, theirs] = await Promise.all(two.urls.map((url) => review(url, token, audiences)));
          assert.deepEqual(ours, theirs, JSON.stringify(audiences));
        }
      });
    }

    it('is asked in the same words', async () => {
      const words: AskedReview[] = [];
      for (const url of two.urls) {
        webhook.asked.length = 0;
        await whoIs(url, 'words');
        const [asked] = webhook.asked;
        words.push(asked!);
      }
      const [ours, theirs] = words.map(({ url, authorization, review: { kind, apiVersion, spec } }) => ({
        ...{ url, authorization, kind, apiVersion, spec },
      }));
      assert.deepEqual(ours, theirs);
    });
  });
