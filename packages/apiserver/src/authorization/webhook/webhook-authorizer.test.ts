import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { TestAuthority } from '../../../test/pki.ts';
import { type ReviewAnswer, TestReviewWebhook } from '../../../test/test-review-webhook.ts';
import { TestServer } from '../../../test/test-server.ts';
import { userInfo } from '../../authentication/identity.ts';
import { limits, periods } from '../../limits.ts';
import { AuthorizationFigures } from '../authorization-figures.ts';
import { type Attributes, alwaysAllow, alwaysDeny, noOpinion } from '../authorizer.ts';
import { ConfiguredAuthorization } from './configured-authorization.ts';

const document = (authorizers: readonly object[], version = 'v1') =>
  JSON.stringify({
    apiVersion: `apiserver.config.k8s.io/${version}`,
    kind: 'AuthorizationConfiguration',
    authorizers,
  });

const allowed: ReviewAnswer = { status: { allowed: true, reason: 'so it is' } };
const denied: ReviewAnswer = { status: { allowed: false, denied: true, reason: 'never' } };
const unsaid: ReviewAnswer = { status: { allowed: false, reason: 'no idea' } };

describe('a webhook that decides', () => {
  let folder: string;
  let file: string;
  let authority: TestAuthority;
  let webhook: TestReviewWebhook;
  let configFile: string;
  let clock: FakeClock;
  let metrics: MetricsRegistry;
  let said: string[];
  let opened: ConfiguredAuthorization | undefined;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'wherry-authorization-'));
    file = join(folder, 'authorization.yaml');
    authority = await TestAuthority.create('webhooks');
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    clock = new FakeClock({ nowMs: Date.now() });
    metrics = new MetricsRegistry();
    said = [];
    webhook = await TestReviewWebhook.start(authority);
    configFile = webhook.kubeconfig(join(folder, 'kubeconfig'));
  });
  afterEach(async () => {
    opened?.close();
    opened = undefined;
    await webhook.close();
  });

  const parts = () => ({
    ...{ clock, metrics },
    logger: createLogger('apiserver', { write: (line) => said.push(line) }),
  });
  const local = { Node: { authorize: () => noOpinion }, RBAC: { authorize: () => noOpinion } };
  const use = (authorization: ConfiguredAuthorization) => {
    opened = authorization;
    authorization.use(
      { ...local, ABAC: alwaysDeny, AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny },
      new AuthorizationFigures(metrics, clock),
    );
    return authorization;
  };
  const open = async (authorizers: readonly object[], version?: string) => {
    writeFileSync(file, document(authorizers, version));
    return use(await ConfiguredAuthorization.open(file, parts()));
  };
  const named = (name: string, more: object = {}) => ({
    ...{ type: 'Webhook', name },
    webhook: {
      ...{ timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'Deny' },
      ...{ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: configFile }, ...more },
    },
  });
  const asks: Attributes = {
    user: { name: 'ada', uid: '7', groups: ['dev'], extra: { 'example.com/team': ['blue'] } },
    ...{ verb: 'list', isResource: true, path: '/api/v1/namespaces/default/pods', group: '' },
    ...{ version: 'v1', resource: 'pods', subresource: '', namespace: 'default', name: '' },
  };
  const reloads = (status: string) =>
    Number(new RegExp(`reloads_total{[^}]*status="${status}"} (\\d+)`).exec(metrics.render())?.[1] ?? 0);

  it('is asked by a SubjectAccessReview, and allows, denies, or leaves it to the next', async () => {
    const { authorize } = bound(
      use(ConfiguredAuthorization.of(['Webhook', 'AlwaysDeny'], { configFile }, parts())),
    );
    webhook.answer = () => allowed;
    const selected = { fieldSelector: 'spec.nodeName=n1', labelSelector: 'app in (a,b),!old' };
    assert.deepEqual(await authorize({ ...asks, ...selected }), { outcome: 'allow', reason: 'so it is' });
    const [asked] = webhook.asked;
    assert.equal(asked?.url, '/review?timeout=30s');
    const { kind, apiVersion, spec } = asked.review;
    assert.deepEqual(
      { kind, apiVersion, spec },
      {
        ...{ kind: 'SubjectAccessReview', apiVersion: 'authorization.k8s.io/v1beta1' },
        spec: {
          resourceAttributes: {
            ...{ namespace: 'default', verb: 'list', version: 'v1', resource: 'pods' },
            fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['n1'] }] },
            labelSelector: {
              requirements: [
                { key: 'app', operator: 'In', values: ['a', 'b'] },
                { key: 'old', operator: 'DoesNotExist' },
              ],
            },
          },
          ...{ user: 'ada', uid: '7', group: ['dev'], extra: { 'example.com/team': ['blue'] } },
        },
      },
    );
    webhook.answer = () => denied;
    const path = { ...asks, isResource: false, path: '/metrics', verb: 'get' };
    assert.deepEqual(await authorize(path), { outcome: 'deny', reason: 'never' });
    assert.deepEqual(webhook.asked.at(-1)?.review.spec['nonResourceAttributes'], {
      path: '/metrics',
      verb: 'get',
    });
    webhook.answer = () => unsaid;
    assert.deepEqual(await authorize({ ...asks, verb: 'get' }), {
      ...{ outcome: 'no-opinion', reason: 'no idea\nEverything is forbidden.' },
    });
    const master = { ...asks, user: userInfo('root', ['system:masters']), verb: 'delete' };
    assert.equal((await authorize(master)).outcome, 'allow');
    assert.equal(webhook.asked.length, 3);
  });

  it('is asked once while its word is remembered, by times of their own, and not where words are long', async () => {
    const { authorize } = bound(
      use(
        ConfiguredAuthorization.of(
          ['Webhook'],
          { configFile, cacheAuthorizedTtlMs: 2_000, cacheUnauthorizedTtlMs: 0 },
          parts(),
        ),
      ),
    );
    webhook.answer = ({ review }) => (review.spec['user'] === 'ada' ? allowed : unsaid);
    await Promise.all([authorize(asks), authorize(asks)]);
    assert.ok(!(opened!.authorize(asks) instanceof Promise), 'said at once');
    assert.equal(webhook.asked.length, 1);
    clock.advance(2_000);
    await authorize(asks);
    assert.equal(webhook.asked.length, 2);
    const other = { ...asks, user: userInfo('bob', []) };
    await authorize(other);
    await authorize(other);
    assert.equal(webhook.asked.length, 4);
    const long = { ...asks, name: 'x'.repeat(limits.rememberedAttributesBytesMax) };
    await authorize(long);
    await authorize(long);
    assert.equal(webhook.asked.length, 6);
  });

  it('that fails, or answers nonsense, decides by its failure policy, and the request is told so', async () => {
    const { authorize } = bound(
      await open([named('first', { failurePolicy: 'NoOpinion', unauthorizedTTL: '1ms' }), named('second')]),
    );
    const next = (answers: ReviewAnswer[]) => {
      webhook.answer = () => answers.shift() ?? { code: 403 };
    };
    next([{ code: 403 }, allowed]);
    assert.equal((await authorize(asks)).outcome, 'allow');
    for (const [index, nonsense] of [
      { code: 403 },
      { body: '{' },
      { body: '[]' },
      { body: JSON.stringify({ kind: 'TokenReview' }) },
      { status: { allowed: 'true' } },
      { status: { allowed: true, denied: true } },
    ].entries()) {
      next([unsaid, nonsense]);
      const { outcome, error } = await authorize({ ...asks, name: `n${index}` });
      assert.equal(outcome, 'deny', JSON.stringify(nonsense));
      assert.ok(error, JSON.stringify(nonsense));
    }
    webhook.answer = () => new Promise(() => {});
    const late = Promise.resolve(authorize({ ...asks, name: 'late' }));
    const before = webhook.asked.length;
    while (webhook.asked.length === before) await sleep(5);
    clock.advance(3_000);
    while (webhook.asked.length < before + 2) await sleep(5);
    clock.advance(3_000);
    assert.equal((await late).outcome, 'deny');
  });

  it('is asked where all of its conditions hold; one that can not be said counts by the failure policy', async () => {
    const conditions = (...expressions: string[]) => ({
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: expressions.map((expression) => ({ expression })),
    });
    webhook.answer = () => allowed;
    const { authorize } = bound(
      await open([
        named(
          'pods',
          conditions('has(request.resourceAttributes)', 'request.resourceAttributes.resource == "pods"'),
        ),
        named('broken', conditions('request.extra["no"][0] == "a"', 'request.user != "bob"')),
      ]),
    );
    assert.equal((await authorize(asks)).outcome, 'allow');
    const path = { ...asks, isResource: false, path: '/metrics', verb: 'get' };
    const { outcome, error } = await authorize(path);
    assert.equal(outcome, 'deny');
    assert.match(error?.message ?? '', /broken: cel evaluation error: expression 'request\.extra/);
    const bob = { ...path, user: userInfo('bob', []) };
    assert.deepEqual(
      await authorize(bob),
      { outcome: 'no-opinion', reason: '' },
      'one that does not hold decides',
    );
    assert.equal(webhook.asked.length, 1);
  });

  it('is named in a file that is followed, where it keeps what it began with', async () => {
    const rbac = { type: 'RBAC', name: 'rbac' };
    const { authorize } = bound(await open([rbac], 'v1beta1'));
    webhook.answer = () => allowed;
    assert.equal((await authorize(asks)).outcome, 'no-opinion');
    const change = async (authorizers: readonly object[], status: string) => {
      const before = reloads(status);
      writeFileSync(file, document(authorizers));
      clock.advance(periods.configurationFileMs);
      while (reloads(status) === before) await sleep(5);
    };
    await change([named('late'), rbac], 'success');
    assert.equal((await authorize(asks)).outcome, 'allow');
    await change([named('late')], 'failure');
    assert.match(said.at(-1) ?? '', /missing required types: \[RBAC\]/);
    await change([rbac, { type: 'Node', name: 'node' }], 'failure');
    assert.match(said.at(-1) ?? '', /authorizer type Node is not allowed if it was not enabled/);
    await change([rbac, named('late', { timeout: '31s' })], 'failure');
    assert.match(
      said.at(-1) ?? '',
      /authorizers\[1\]\.timeout: Invalid value: \\"31s\\": must be > 0s and <= 30s/,
    );
    assert.equal((await authorize(asks)).outcome, 'allow');
    await change([rbac, { type: 'AlwaysDeny', name: 'alwaysdeny' }], 'success');
    assert.equal((await authorize(asks)).reason, 'Everything is forbidden.');
  });

  it('is asked in a server’s requests, reviews and policies, and tells no rules', async () => {
    webhook.answer = ({ review: { spec } }) => {
      const { user, resourceAttributes: of = {} } = spec as {
        user: string;
        resourceAttributes?: Record<string, string>;
      };
      if (user !== 'ada') return unsaid;
      if (of['resource'] === 'secrets') return denied;
      if (of['resource'] === 'boats') return of['name'] === 'tug' ? allowed : unsaid;
      return of['resource'] === 'leases' ? { code: 403 } : allowed;
    };
    const server = await TestServer.start({
      authorizationMode: ['Webhook', 'RBAC'],
      authorizationWebhook: { configFile, version: 'v1' },
    });
    try {
      const ada = await server.authority.issue({ name: 'ada' });
      const bob = await server.authority.issue({ name: 'bob' });
      const get = async (path: string, as = ada) => (await server.request('GET', path, { as })).status;
      assert.equal(await get('/api/v1/namespaces/default/configmaps'), 200);
      assert.equal(await get('/api/v1/namespaces/default/secrets'), 403);
      assert.equal(await get('/api/v1/namespaces/default/configmaps', bob), 403);
      const failed = await server.request('GET', '/apis/coordination.k8s.io/v1/leases', { as: ada });
      assert.equal(failed.status, 500);
      assert.match(failed.body.message, /webhook default: the webhook answers 403/);
      const reviews = '/apis/authorization.k8s.io/v1';
      const may = async (resource: string) =>
        (
          await server.request('POST', `${reviews}/selfsubjectaccessreviews`, {
            ...{
              as: ada,
              body: { spec: { resourceAttributes: { verb: 'list', resource, namespace: 'default' } } },
            },
          })
        ).body.status;
      assert.deepEqual(await may('pods'), { allowed: true, reason: 'so it is' });
      assert.deepEqual(await may('secrets'), { allowed: false, denied: true, reason: 'never' });
      assert.match((await may('leases')).evaluationError, /answers 403/);
      const rules = await server.request('POST', `${reviews}/selfsubjectrulesreviews`, {
        ...{ as: ada, body: { spec: { namespace: 'default' } } },
      });
      assert.equal(rules.body.status.incomplete, true);
      assert.match(rules.body.status.evaluationError, /does not support user rule resolution/);
      const other = { 'impersonate-user': 'ada' };
      assert.equal(
        (await server.request('GET', '/api/v1/namespaces', { as: bob, headers: other })).status,
        403,
      );
      const policies = '/apis/admissionregistration.k8s.io/v1';
      const spec = {
        matchConstraints: {
          resourceRules: [
            { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
          ],
        },
        validations: [
          {
            expression:
              'authorizer.group("x").resource("boats").name(object.metadata.name).check("sail").allowed()',
          },
        ],
      };
      await server.request('POST', `${policies}/validatingadmissionpolicies`, {
        body: { metadata: { name: 'sail' }, spec },
      });
      await server.request('POST', `${policies}/validatingadmissionpolicybindings`, {
        body: { metadata: { name: 'sail' }, spec: { policyName: 'sail', validationActions: ['Deny'] } },
      });
      const make = async (name: string) =>
        (
          await server.request('POST', '/api/v1/namespaces/default/configmaps', {
            as: ada,
            body: { metadata: { name } },
          })
        ).status;
      assert.equal(await make('tug'), 201);
      assert.equal(await make('raft'), 422);
    } finally {
      await server.close();
    }
  });
});

/** Its decision, whether it comes at once or not. */
function bound(authorization: ConfiguredAuthorization) {
  return { authorize: async (attributes: Attributes) => authorization.authorize(attributes) };
}
