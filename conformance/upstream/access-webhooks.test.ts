/** Webhooks that are asked by ours and by Kubernetes' own API server: in which words, and what comes of each answer. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { loadPatternEngine } from '@wherry/kubeapi/access-expressions';
import { eventually } from '../../e2e/node.ts';
import { readAuthorization } from '../../packages/apiserver/src/authorization/configuration/read-authorization.ts';
import { compileAuthorization } from '../../packages/apiserver/src/authorization/configuration/validate-authorization.ts';
import {
  type AskedReview,
  type ReviewAnswer,
  TestReviewWebhook,
} from '../../packages/apiserver/test/test-review-webhook.ts';
import { complaintsIn } from './said-complaint.ts';
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
        const [ours, theirs] = [await two.whoIs(two.urls[0], token), await two.whoIs(two.urls[1], token)];
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
        await two.whoIs(url, 'words');
        const [asked] = webhook.asked;
        words.push(asked!);
      }
      const [ours, theirs] = words.map(({ url, authorization, review: { kind, apiVersion, spec } }) => ({
        ...{ url, authorization, kind, apiVersion, spec },
      }));
      assert.deepEqual(ours, theirs);
    });
  });

/** What a webhook says of a user of that name; of others it has no opinion. */
const decisions: Readonly<Record<string, ReviewAnswer>> = {
  allowed: { status: { allowed: true, reason: 'so it is' } },
  denied: { status: { allowed: false, denied: true, reason: 'never' } },
  both: { status: { allowed: true, denied: true } },
  unsaid: { status: { allowed: false, reason: 'no idea' } },
  empty: { status: {} },
  'a-text': { status: { allowed: 'true' } },
  'no-json': { body: '{' },
  nothing: { body: '' },
  'another-kind': { body: JSON.stringify({ kind: 'Pod', apiVersion: 'v1', status: {} }) },
  'no-kind': { body: JSON.stringify({ status: { allowed: true } }) },
  // Without a word upstream tells an error of none.
  refused: { code: 403, body: 'no' },
};

/** Over a whole webhook. */
const webhooks: Readonly<Record<string, object>> = {
  deny: { failurePolicy: 'Deny' },
  'no-opinion': { failurePolicy: 'NoOpinion' },
  beta: { failurePolicy: 'NoOpinion', subjectAccessReviewVersion: 'v1beta1' },
};

const conditions = [
  'request.resourceAttributes.namespace != "skipped"',
  'has(request.resourceAttributes) && request.resourceAttributes.resource in ["configmaps", "pods", "nodes"]',
  '!has(request.resourceAttributes.labelSelector) || request.resourceAttributes.labelSelector.requirements.exists(r, r.key == "app")',
  '!("system:serviceaccounts" in request.groups) && request.user.size() > 0',
  'request.resourceAttributes.verb != "get" || request.extra["no"][0] == "x"',
];

const decided = (name: string, more: object, kubeConfigFile: string) => ({
  ...{ type: 'Webhook', name },
  webhook: {
    ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', matchConditionSubjectAccessReviewVersion: 'v1' },
    ...{ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile }, ...more },
  },
});

const authorization = (authorizers: readonly object[]) =>
  JSON.stringify({
    ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers },
  });

for (const [index, [title, more]] of Object.entries(webhooks).entries())
  describe(`webhooks that decide, ${title}`, () => {
    let two: TwoServers;
    let webhook: TestReviewWebhook;
    let second: TestReviewWebhook;
    let file: string;
    let configFile: string;
    before(async () => {
      two = await TwoServers.start({
        ...{ port: 26_475 + 2 * index, etcdPort: 26_476 + 2 * index, authorizationMode: null },
        async prepare({ authority, folder }) {
          webhook = await TestReviewWebhook.start(authority);
          webhook.answer = ({ review: { spec } }) => decisions[String(spec['user'])] ?? { status: {} };
          second = await TestReviewWebhook.start(authority);
          second.answer = ({ review: { spec } }) => ({ status: { allowed: spec['user'] !== 'nobody' } });
          configFile = webhook.kubeconfig(join(folder, 'first.json'));
          const other = second.kubeconfig(join(folder, 'second.json'));
          file = join(folder, 'authorization.json');
          const matchConditions = conditions.map((expression) => ({ expression }));
          writeFileSync(
            file,
            authorization([
              decided('first', more, configFile),
              { type: 'Node', name: 'node' },
              { type: 'RBAC', name: 'rbac' },
              decided('second', { ...more, matchConditions }, other),
            ]),
          );
          return { options: { authorizationConfig: file }, flags: [`--authorization-config=${file}`] };
        },
      });
    });
    after(async () => {
      await two?.close();
      await webhook?.close();
      await second?.close();
    });

    const as = (user: string) => ({ 'impersonate-user': user });
    const paths = [
      ...['/api/v1/namespaces/default/configmaps', '/api/v1/namespaces/skipped/configmaps', '/api/v1/nodes'],
      ...['/api/v1/secrets', '/metrics', '/api/v1/namespaces/default/configmaps/kube-root-ca.crt'],
      ...['/api/v1/namespaces/default/pods?labelSelector=app%3Da', '/api/v1/pods?labelSelector=x'],
      '/api/v1/pods?fieldSelector=spec.nodeName%3Da&watch=true&timeoutSeconds=1&limit=1',
    ];

    for (const user of [...Object.keys(decisions), 'nobody', 'somebody', 'system:serviceaccount:a:b'])
      it(`let ${user} do alike`, async () => {
        for (const path of paths) {
          const codes: number[] = [];
          for (const url of two.urls) {
            const answer = await two.ask(url, { method: 'GET', path, headers: as(user) });
            // What is not there is allowed.
            codes.push(answer.code === 404 ? 200 : answer.code);
          }
          assert.equal(codes[0], codes[1], path);
        }
      });

    it('tell alike in reviews', async () => {
      for (const user of [...Object.keys(decisions), 'nobody', 'somebody'])
        for (const attributes of [
          { resourceAttributes: { verb: 'list', resource: 'configmaps', namespace: 'default' } },
          {
            resourceAttributes: {
              verb: 'list',
              resource: 'pods',
              version: 'v1',
              labelSelector: { rawSelector: 'app=a' },
            },
          },
          {
            resourceAttributes: {
              verb: 'watch',
              resource: 'pods',
              fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
            },
          },
          { nonResourceAttributes: { verb: 'get', path: '/metrics' } },
        ]) {
          const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
          const body = {
            apiVersion: 'authorization.k8s.io/v1',
            kind: 'SelfSubjectAccessReview',
            spec: attributes,
          };
          const statuses: object[] = [];
          for (const url of two.urls) {
            const { text, code } = await two.ask(url, { method: 'POST', path, body, headers: as(user) });
            // Who may not review is told in words of each one's own.
            const { evaluationError, ...told } = code === 201 ? JSON.parse(text).status : { code };
            statuses.push({ ...told, hasError: evaluationError !== undefined });
          }
          assert.deepEqual(statuses[0], statuses[1], `${user} ${JSON.stringify(attributes)}`);
        }
    });

    it('tell alike what is not known of rules', async () => {
      const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        spec: { namespace: 'default' },
      };
      const [ours, theirs] = await Promise.all(
        two.urls.map(async (url) => {
          const { text } = await two.ask(url, { method: 'POST', path, body, headers: as('somebody') });
          const { incomplete, evaluationError } = JSON.parse(text).status;
          return { incomplete, evaluationError: String(evaluationError).replace(/^\[(.*), \1\]$/, '$1') };
        }),
      );
      assert.deepEqual(ours, theirs);
    });

    it('are asked in the same words', async () => {
      for (const path of [
        ...paths,
        '/apis/apps/v1/namespaces/a/deployments/b/scale',
        '/version',
        '/api/v1/nodes/a/proxy/x',
      ])
        for (const method of ['GET', 'DELETE']) {
          const specs: unknown[] = [];
          for (const url of two.urls) {
            webhook.asked.length = 0;
            await two.ask(url, {
              method,
              path,
              headers: { ...as('words'), 'impersonate-uid': method, 'impersonate-group': path },
            });
            const [asked] = webhook.asked.filter(({ review }) => review.spec['user'] === 'words');
            specs.push({ spec: asked?.review.spec, version: asked?.review.apiVersion, url: asked?.url });
          }
          assert.deepEqual(specs[0], specs[1], `${method} ${path}`);
        }
    });

    if (index > 0) return;
    const wrong: Readonly<Record<string, (file: string) => readonly object[]>> = {
      'no authorizer': () => [],
      'no type, and one that there is none': () => [{ name: 'a' }, { type: 'Other', name: 'b' }],
      'one type twice': () => [
        { type: 'RBAC', name: 'rbac' },
        { type: 'RBAC', name: 'again' },
      ],
      'names that are none': (at) => [
        decided('', more, at),
        decided('a', more, at),
        decided('a', more, at),
        decided('A_', more, at),
      ],
      'other names': () => [
        { type: 'RBAC', name: 'roles' },
        { type: 'Node', name: 'nodes' },
      ],
      'types that went': (at) => [decided('a', more, at)],
      'a webhook where none is, and none where one is': (at) => [
        { ...decided('a', more, at), type: 'RBAC' },
        { type: 'Webhook', name: 'b' },
      ],
      'a webhook of nothing': () => [{ type: 'Webhook', name: 'a', webhook: {} }],
      'other times': (at) => [
        decided('a', { ...more, timeout: '31s', authorizedTTL: '-1s', unauthorizedTTL: '-1ms' }, at),
        decided('b', { ...more, timeout: '-1m' }, at),
      ],
      'other words': (at) => [
        decided(
          'a',
          {
            subjectAccessReviewVersion: 'v2',
            failurePolicy: 'Ignore',
            matchConditionSubjectAccessReviewVersion: 'v1beta1',
          },
          at,
        ),
        decided(
          'b',
          {
            ...more,
            matchConditionSubjectAccessReviewVersion: '',
            matchConditions: [{ expression: 'true' }],
          },
          at,
        ),
      ],
      'other connections': (at) => [
        decided('a', { ...more, connectionInfo: { type: 'Other' } }, at),
        decided('b', { ...more, connectionInfo: { type: 'KubeConfigFile' } }, at),
        decided('c', { ...more, connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: 'here' } }, at),
        decided('d', { ...more, connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/no/such' } }, at),
        decided('e', { ...more, connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/' } }, at),
      ],
      'conditions that are none': (at) => [
        decided(
          'a',
          {
            ...more,
            matchConditions: [
              '',
              'true',
              'true',
              '"a"',
              'request.name',
              'user.name == ""',
              'request.user +',
            ].map((expression) => ({ expression })),
          },
          at,
        ),
      ],
      'too many conditions': (at) => [
        decided(
          'a',
          {
            ...more,
            matchConditions: Array.from({ length: 65 }, (_, index) => ({ expression: `${index} == 0` })),
          },
          at,
        ),
      ],
    };
    for (const [what, authorizers] of Object.entries(wrong))
      it(`are refused in the same words for ${what}`, async () => {
        await loadPatternEngine();
        const before = two.saidCharacters;
        const body = authorization(authorizers(configFile));
        writeFileSync(file, body);
        const theirs = await eventually('the other says what is wrong', () =>
          complaintsIn(two.saidSince(before), 'reloading authorization config').find(
            // It may have read the file while that was empty.
            (complaint) => what === 'no authorizer' || !complaint.startsWith('authorizers: Required value'),
          ),
        );
        let ours = '';
        try {
          compileAuthorization(readAuthorization(Buffer.from(body)), new Set(['Node', 'RBAC']));
        } catch (error) {
          ours = (error as Error).message;
        }
        assert.equal(bare(ours), bare(theirs));
      });
  });

const bare = (text: string) =>
  text
    .replace(/^\[|\]$/g, '')
    .replaceAll('AlwaysAllow", "AlwaysDeny', 'ABAC", "AlwaysAllow", "AlwaysDeny')
    .replaceAll('ABAC", "ABAC', 'ABAC');
