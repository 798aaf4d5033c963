import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SettingsError } from '../settings-error.ts';
import { AbacAuthorizer } from './abac.ts';
import type { Attributes } from './authorizer.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-abac-'));
after(() => rmSync(folder, { recursive: true }));

const apiVersion = 'abac.authorization.kubernetes.io/v1beta1';
const policy = (spec: object) => JSON.stringify({ apiVersion, kind: 'Policy', spec });

function open(...lines: string[]): AbacAuthorizer {
  const path = join(folder, 'policies.jsonl');
  writeFileSync(path, lines.join('\n'));
  return AbacAuthorizer.open(path);
}

const ask = (more: Partial<Attributes>, name = 'ada', groups = ['system:authenticated']): Attributes => ({
  ...{ user: { name, uid: '', groups, extra: {} }, verb: 'create', isResource: true, path: '' },
  ...{ group: '', resource: 'pods', subresource: '', namespace: 'default', name: '' },
  ...more,
});
const isAllowed = (authorizer: AbacAuthorizer, attributes: Attributes) =>
  authorizer.authorize(attributes).outcome === 'allow';

test('a policy allows its user what it names, and who only reads no more than that', () => {
  const pods = open(
    '# comments and empty lines are left out',
    '',
    policy({ user: 'ada', namespace: 'default', resource: 'pods', apiGroup: '*' }),
    policy({ group: 'readers', namespace: '*', resource: '*', apiGroup: '', readonly: true }),
    policy({ user: '*', nonResourcePath: '/version' }),
    policy({ user: 'ada', nonResourcePath: '/healthz/*' }),
  );
  assert.ok(isAllowed(pods, ask({})));
  assert.ok(!isAllowed(pods, ask({ namespace: 'other' })));
  assert.ok(!isAllowed(pods, ask({}, 'bob')));
  const reader = ['system:authenticated', 'readers'];
  assert.ok(isAllowed(pods, ask({ verb: 'watch', namespace: '' }, 'bob', reader)));
  assert.ok(!isAllowed(pods, ask({ verb: 'delete' }, 'bob', reader)));
  assert.ok(!isAllowed(pods, ask({ verb: 'get', group: 'apps' }, 'bob', reader)));
  const path = { isResource: false, verb: 'get' } as const;
  assert.ok(isAllowed(pods, ask({ ...path, path: '/version' }, 'bob')));
  assert.ok(!isAllowed(pods, ask({ ...path, path: '/version' }, 'nobody', ['system:unauthenticated'])));
  assert.ok(isAllowed(pods, ask({ ...path, path: '/healthz/ping' })));
  assert.ok(!isAllowed(pods, ask({ ...path, path: '/healthz' })));
  assert.deepEqual(pods.authorize(ask({}, 'bob')), { outcome: 'no-opinion', reason: 'No policy matched.' });
});

test('what a policy without a version does not say is any', () => {
  const every = open('{"readonly": true}', '{"user": "ada", "namespace": "default"}');
  assert.ok(isAllowed(every, ask({ verb: 'list', group: 'apps', namespace: 'other' }, 'bob')));
  assert.ok(isAllowed(every, ask({ verb: 'get', isResource: false, path: '/metrics' }, 'bob')));
  assert.ok(!isAllowed(every, ask({ verb: 'get' }, 'nobody', ['system:unauthenticated'])));
  assert.ok(isAllowed(every, ask({ resource: 'secrets' })));
  assert.ok(!isAllowed(every, ask({ namespace: 'other' })));
  assert.deepEqual(every.rulesFor(ask({}).user, 'default'), [
    { verbs: ['get', 'list', 'watch'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['get', 'list', 'watch'], nonResourceURLs: ['*'] },
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  ]);
});

test('a line that is no policy is refused with its number', () => {
  for (const [line, why] of [
    ['{', /policies\.jsonl, line 2: .*JSON/],
    ['[]', /line 2: a policy is an object/],
    ['{"apiVersion": "v1", "kind": "Policy"}', /line 2: "Policy" of "v1" is no policy; want/],
    [policy({ readonly: 'yes' }), /line 2: readonly is neither true nor false/],
    [policy({ user: 7 }), /line 2: user is no string/],
  ] as const)
    assert.throws(
      () => open('{}', line),
      (error: Error) => error instanceof SettingsError && why.test(error.message),
      line,
    );
  assert.throws(() => AbacAuthorizer.open('/no/such'), /authorization policies: .*\/no\/such/);
});
