import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { readPlugInConfiguration } from '../../../configuration/images/credential-plug-ins.ts';
import { credentialPlugInMs } from '../../../limits.ts';
import { assignedPod } from '../../../pod/assigned-pod.ts';
import type { AccountSource } from './credential-plug-in.ts';
import { CredentialPlugIns } from './credential-plug-ins.ts';

const apiVersion = 'credentialprovider.kubelet.k8s.io/v1';
let folder: string;
let clock: FakeClock;
let metrics: MetricsRegistry;
const at = (name: string) => join(folder, name);

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'credential-plug-ins-'));
});
after(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  clock = new FakeClock();

  for (const name of ['asked', 'answer', 'done']) rmSync(at(name), { force: true });
});

/** A program that notes what it is asked, and says what stands in the file `answer`. */
const notes = (more = '') => `#!/bin/sh
cat >> ${at('asked')}; echo >> ${at('asked')}; echo "$* $GREETING" > ${at('called')}
${more}cat ${at('answer')}
`;
const say = (answer: object) =>
  writeFileSync(at('answer'), JSON.stringify({ kind: 'CredentialProviderResponse', apiVersion, ...answer }));
const asked = (): Record<string, unknown>[] =>
  existsSync(at('asked'))
    ? readFileSync(at('asked'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

const accounts: AccountSource = {
  account: async ({ spec }) => ({ uid: `uid-${spec.serviceAccountName}`, annotations: { role: 'puller' } }),
  token: async ({ metadata }, { audience, accountUid }) => `${audience}/${accountUid}/${metadata.name}`,
};
async function open(provider: object = {}, script = notes()): Promise<CredentialPlugIns> {
  writeFileSync(at('plug-in'), script);
  chmodSync(at('plug-in'), 0o755);
  const given = { name: 'plug-in', matchImages: ['*.example/team'], defaultCacheDuration: '1m', apiVersion };
  const document = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
  writeFileSync(at('config.json'), JSON.stringify({ ...document, providers: [{ ...given, ...provider }] }));
  metrics = new MetricsRegistry();
  const configuration = await readPlugInConfiguration(at('config.json'));
  return new CredentialPlugIns({
    ...{ configuration, binDir: folder, accounts, clock, logger: silentLogger, metrics },
  });
}
const podOf = (name = 'a', serviceAccountName = 'robot') =>
  assignedPod({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'ns', uid: `uid-${name}` } },
    spec: { serviceAccountName, containers: [{ name: 'c' }] },
  });
const { signal } = new AbortController();
const usersFor = async (plugIns: CredentialPlugIns, image: string, pod = podOf()) =>
  (await plugIns.logins(image, pod, signal)).map(({ auth }) => auth.username);
const login = (username: string) => ({ username, password: 'p' });

test('a plug-in is asked with its arguments and variables for images of its own, and for no others', async () => {
  const env = [{ name: 'GREETING', value: 'hello' }];
  const plugIns = await open({ args: ['--flag', 'x y'], env });
  say({ cacheKeyType: 'Image', auth: { 'r.example/team': login('u'), 'other.example': login('o') } });
  assert.deepEqual(await usersFor(plugIns, 'other.example/app:1'), []);
  assert.deepEqual(asked(), []);
  assert.deepEqual(await usersFor(plugIns, 'r.example/team/app:1@sha256:00'), ['u']);
  const image = 'r.example/team/app';
  assert.deepEqual(asked(), [{ kind: 'CredentialProviderRequest', apiVersion, image }]);
  assert.equal(readFileSync(at('called'), 'utf8'), '--flag x y hello\n');
});

for (const [cacheKeyType, again] of [
  ['Image', { 'r.example/team/app:2': 0, 'r.example/team/other': 1, 's.example/team/app': 1 }],
  ['Registry', { 'r.example/team/app:2': 0, 'r.example/team/other': 0, 's.example/team/app': 1 }],
  ['Global', { 'r.example/team/app:2': 0, 'r.example/team/other': 0, 's.example/team/app': 0 }],
] as const) {
  test(`an answer for ${cacheKeyType} is kept as long as it says`, async () => {
    const plugIns = await open();
    say({ cacheKeyType, cacheDuration: '10s', auth: { '*.example': login('u') } });
    await usersFor(plugIns, 'r.example/team/app:1');
    for (const [image, times] of Object.entries(again)) {
      const before = asked().length;
      assert.deepEqual(await usersFor(plugIns, image), ['u']);
      assert.equal(asked().length - before, times, image);
    }
    clock.advance(10_001);
    const before = asked().length;
    await usersFor(plugIns, 'r.example/team/app:1');
    assert.equal(asked().length - before, 1);
  });
}

test('without a duration of its own the configured one counts; 0 keeps nothing', async () => {
  for (const [answer, defaultCacheDuration, times] of [
    [{}, '1m', 1],
    [{}, '0s', 2],
    [{ cacheDuration: '0s' }, '1m', 2],
  ] as const) {
    rmSync(at('asked'), { force: true });
    const plugIns = await open({ defaultCacheDuration });
    say({ cacheKeyType: 'Global', auth: {}, ...answer });
    for (const _ of [1, 2]) await usersFor(plugIns, 'r.example/team/app');
    assert.equal(asked().length, times, JSON.stringify([answer, defaultCacheDuration]));
  }
});

test('who asks for the same image at one time has one answer', async () => {
  const plugIns = await open();
  say({ cacheKeyType: 'Image', cacheDuration: '0s', auth: { 'r.example': login('u') } });
  const all = await Promise.all([1, 2, 3].map(() => usersFor(plugIns, 'r.example/team/app')));
  assert.deepEqual(all, [['u'], ['u'], ['u']]);
  assert.equal(asked().length, 1);
});

const attributes = {
  serviceAccountTokenAudience: 'registry',
  cacheType: 'ServiceAccount',
  requireServiceAccount: true,
  requiredServiceAccountAnnotationKeys: ['role'],
  optionalServiceAccountAnnotationKeys: ['absent'],
};

test('where the configuration says so, it gets a token and annotations of the pod’s account, which the login names', async () => {
  const plugIns = await open({ tokenAttributes: attributes });
  say({ cacheKeyType: 'Registry', auth: { 'r.example': login('u') } });
  const [first] = await plugIns.logins('r.example/team/app', podOf(), signal);
  const account = { uid: 'uid-robot', namespace: 'ns', name: 'robot' };
  assert.deepEqual(first, { auth: login('u'), serviceAccount: account });
  const [request] = asked();
  assert.equal(request?.['serviceAccountToken'], 'registry/uid-robot/a');
  assert.deepEqual(request?.['serviceAccountAnnotations'], { role: 'puller' });
  await usersFor(plugIns, 'r.example/team/app', podOf('b'));
  assert.equal(asked().length, 1, 'another pod of the account');
  await usersFor(plugIns, 'r.example/team/app', podOf('b', 'other'));
  assert.equal(asked().length, 2, 'another account');
  assert.deepEqual(await usersFor(plugIns, 'r.example/team/app', podOf('static', '')), []);
  assert.equal(asked().length, 2, 'no account');
});

test('answers for one token are for that token alone; elsewhere the token itself is no login', async () => {
  const echo = {
    cacheKeyType: 'Registry',
    auth: { 'r.example': { username: 'u', password: 'registry/uid-robot/a' } },
  };
  say(echo);
  const shared = await open({ tokenAttributes: attributes });
  assert.deepEqual(await usersFor(shared, 'r.example/team/app'), []);
  const alone = await open({ tokenAttributes: { ...attributes, cacheType: 'Token' } });
  assert.deepEqual(await usersFor(alone, 'r.example/team/app'), ['u']);
  const before = asked().length;
  await usersFor(alone, 'r.example/team/app');
  assert.equal(asked().length, before);
  await usersFor(alone, 'r.example/team/app', podOf('b'));
  assert.equal(asked().length, before + 1);
});

test('an account without an annotation that is required is not asked for', async () => {
  const keys = { requiredServiceAccountAnnotationKeys: ['role', 'more'] };
  const plugIns = await open({ tokenAttributes: { ...attributes, ...keys } });
  say({ cacheKeyType: 'Registry', auth: { 'r.example': login('u') } });
  assert.deepEqual(await usersFor(plugIns, 'r.example/team/app'), []);
  assert.deepEqual(asked(), []);
});

const bad: Record<string, string> = {
  'that fails': '#!/bin/sh\necho no >&2; exit 3\n',
  'that says nothing': '#!/bin/sh\n',
  'of another version': `#!/bin/sh\necho '{"kind":"CredentialProviderResponse","apiVersion":"v7","cacheKeyType":"Image"}'\n`,
  'that prints without end': '#!/bin/sh\nyes\n',
  'whose answer is for what nobody knows': `#!/bin/sh\necho '{"kind":"CredentialProviderResponse","apiVersion":"${apiVersion}","cacheKeyType":"Moon"}'\n`,
};
for (const [what, script] of Object.entries(bad)) {
  test(`a plug-in ${what} gives no logins, and is counted`, async () => {
    const plugIns = await open({}, script);
    assert.deepEqual(await usersFor(plugIns, 'r.example/team/app'), []);
    assert.match(
      metrics.render(),
      /kubelet_credential_provider_plugin_errors_total\{plugin_name="plug-in"\} 1/,
    );
    assert.match(
      metrics.render(),
      /kubelet_credential_provider_plugin_duration_count\{plugin_name="plug-in"\} 1/,
    );
  });
}

test('a plug-in that hangs is ended after a minute, with what it has started', async () => {
  const plugIns = await open(
    {},
    notes(`(sleep 1000; echo > ${at('done')}) & echo $! > ${at('pid')}; wait\n`),
  );
  const found = usersFor(plugIns, 'r.example/team/app');
  while (!existsSync(at('pid')) || readFileSync(at('pid'), 'utf8') === '') await delay(10);
  clock.advance(credentialPlugInMs);
  assert.deepEqual(await found, []);
  const pid = Number(readFileSync(at('pid'), 'utf8'));
  const isOver = () => {
    try {
      return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  while (!isOver()) await delay(10);
});

test('a plug-in whose output somebody keeps open, who has left its group, is given up after a minute', async () => {
  rmSync(at('pid'), { force: true });
  const stranger = `setsid sh -c 'echo $$ > ${at('pid')}; exec sleep 1000' &`;
  const plugIns = await open({}, `#!/bin/sh\n${stranger}\nexit 0\n`);
  const found = usersFor(plugIns, 'r.example/team/app');
  while (!existsSync(at('pid')) || readFileSync(at('pid'), 'utf8') === '') await delay(10);
  clock.advance(credentialPlugInMs);
  assert.deepEqual(await found, []);
  process.kill(Number(readFileSync(at('pid'), 'utf8')), 'SIGKILL');
});

test('the kubelet does not start without the program, nor with one that is none', async () => {
  await assert.rejects(open({ name: 'absent' }), /credential plug-in ".*\/absent" can not be run: ENOENT/);
  writeFileSync(at('text'), '', { mode: 0o644 });
  await assert.rejects(open({ name: 'text' }), /can not be run: EACCES/);
});

const wrong: [change: object, complaint: RegExp][] = [
  [{ name: '../sh' }, /providers\[0\]\.name: "\.\.\/sh" is no name of a program/],
  [{ matchImages: [] }, /matchImages: at least one is required/],
  [{ matchImages: ['https://r.example'] }, /no image without a scheme/],
  [{ defaultCacheDuration: undefined }, /defaultCacheDuration: is required/],
  [{ defaultCacheDuration: '-1s' }, /must not be negative/],
  [{ apiVersion: 'v1' }, /apiVersion: "v1" is not one of/],
  [{ colour: 'red' }, /colour: is not known here/],
  [
    { tokenAttributes: { ...attributes, cacheType: undefined } },
    /cacheType: is required: Token, ServiceAccount/,
  ],
  [
    { tokenAttributes: { ...attributes, requireServiceAccount: false } },
    /can not be required where no service account is/,
  ],
  [{ tokenAttributes: { ...attributes, optionalServiceAccountAnnotationKeys: ['role'] } }, /stands once/],
  [
    { tokenAttributes: attributes, apiVersion: 'credentialprovider.kubelet.k8s.io/v1beta1' },
    /is for credentialprovider\.kubelet\.k8s\.io\/v1 alone/,
  ],
];
for (const [change, complaint] of wrong) {
  test(`a configuration with ${JSON.stringify(change)} is refused by name`, async () => {
    await assert.rejects(open(change), complaint);
  });
}
