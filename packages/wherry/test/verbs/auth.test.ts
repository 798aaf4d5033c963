/** `auth can-i` and `auth whoami`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
  await served.client.create({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'reader' } },
    rules: [
      { apiGroups: ['', 'apps'], resources: ['pods', 'pods/log'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['get', 'watch'] },
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['one', 'two'], verbs: ['get'] },
    ],
  });
  await served.client.create({
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'reader' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'ann' }],
  });
});
after(() => served?.close());

const yes = { code: 0, stdout: 'yes\n', stderr: '' };
const no = { code: 1, stdout: 'no\n', stderr: '' };
const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
const asAnn = (line: string) => served.run(`auth can-i ${line} --as=ann`);

test('auth can-i says yes, or no and an exit code of 1', async () => {
  assert.deepEqual(await asAnn('get pods'), yes);
  assert.deepEqual(await asAnn('get po --subresource=log'), yes);
  assert.deepEqual(await asAnn('get cm/one'), yes);
  assert.deepEqual(await asAnn('get cm'), no);
  assert.deepEqual(await asAnn('get pods -A'), no);
  assert.deepEqual(await asAnn('get pods -n elsewhere'), no);
  assert.deepEqual(await asAnn('delete pods'), no);
  assert.deepEqual(await asAnn('get /version'), yes);
  assert.deepEqual(await asAnn('get /logs/'), no);
  assert.deepEqual(await served.run('auth can-i * *'), yes);
});

test('auth can-i -q says it by its exit code alone', async () => {
  assert.deepEqual(await asAnn('get pods -q'), { ...yes, stdout: '' });
  assert.deepEqual(await asAnn('delete pods --quiet'), { ...no, stdout: '' });
});

test('auth can-i warns of verbs and resources that nobody knows, and of those in no namespace', async () => {
  for (const [line, warning] of [
    ['fly pods', "verb 'fly' is not a known verb"],
    ['fly /version', "verb 'fly' is not a known verb"],
    ['get nope', "the server doesn't have a resource type 'nope'"],
    ['get nope.example.com', "the server doesn't have a resource type 'nope' in group 'example.com'"],
    ['get nodes', "resource 'nodes' is not namespace scoped"],
    ['get pc', "resource 'priorityclasses' is not namespace scoped in group 'scheduling.k8s.io'"],
  ])
    assert.deepEqual(await asAnn(`${line}`), { ...no, stderr: `Warning: ${warning}\n\n` }, line);
  assert.deepEqual(await asAnn('get nodes -A'), no);
  assert.deepEqual(await asAnn('impersonate users'), no);
});

test('auth can-i --list shows what may be done, each resource once', async () => {
  const { code, stdout } = await served.run('auth can-i --list --as=ann');
  const lines = stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, '|'));
  assert.equal(code, 0);
  assert.equal(lines[0], 'Resources|Non-Resource URLs|Resource Names|Verbs');
  assert.deepEqual(
    lines.filter((line) => /^(pods|configmaps)/.test(line)),
    [
      'configmaps|[]|[one]|[get]',
      'configmaps|[]|[two]|[get]',
      'pods|[]|[]|[list get watch]',
      'pods/log|[]|[]|[list get]',
      'pods.apps/log|[]|[]|[list get]',
      'pods.apps|[]|[]|[list get]',
    ],
  );
  const bare = await served.run('auth can-i --list --no-headers --as=ann');
  assert.doesNotMatch(bare.stdout, /^Resources/);
});

test('auth can-i refuses what does not go together', async () => {
  for (const [line, says] of [
    ['--list get', 'error: list option must be specified with no arguments'],
    [
      '--list -A',
      "error: list option can't be specified with neither quiet, all-namespaces nor subresource options",
    ],
    ['get pods --no-headers', 'error: --no-headers cannot be set without --list specified'],
    ['get /x --subresource=log', 'error: --subresource can not be used with NonResourceURL'],
    [
      'get',
      "error: you must specify two arguments: verb resource or verb resource/resourceName.\nSee 'wherry auth can-i -h' for help and examples",
    ],
  ] as const)
    assert.deepEqual(await served.run(`auth can-i ${line}`), failed(says), line);
});

test('--as-user-extra tells more of the user that is acted as', async () => {
  const extra = ['scopes=read', 'scopes=a=b', 'example.com/team=blue'].map(
    (pair) => `--as-user-extra=${pair}`,
  );
  const { stdout } = await served.run(`auth whoami --as=ann ${extra.join(' ')} -o json`);
  assert.deepEqual(JSON.parse(stdout).status.userInfo.extra, {
    'example.com/team': ['blue'],
    scopes: ['read', 'a=b'],
  });
});

test('auth whoami shows whom the server takes the caller for', async () => {
  assert.deepEqual(await served.run('auth whoami --as=ann --as-uid=7 --as-group=team'), {
    ...{ code: 0, stderr: '' },
    stdout: 'ATTRIBUTE   VALUE\nUsername    ann\nUID         7\nGroups      [team system:authenticated]\n',
  });
  const { stdout } = await served.run('auth whoami --as=ann -o json');
  assert.equal(JSON.parse(stdout).status.userInfo.username, 'ann');
});
