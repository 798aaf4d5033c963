import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '@wherry/clock';
import type { ExecConfig, ExecInteractiveMode } from '../config/kubeconfig.ts';
import { type ExecCredentialsOptions, execCredentials } from './exec-credentials.ts';
import type { PluginPolicy } from './plugin-policy.ts';

const apiVersion = 'client.authentication.k8s.io/v1';

/** A source in front of a real shell script. Each run of it leaves a line in `runs`. */
function plugin(
  context: TestContext,
  script: string,
  config: Partial<ExecConfig> = {},
  pluginPolicy?: PluginPolicy,
) {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-plugin-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const runs = join(folder, 'runs');
  appendFileSync(runs, '');
  const options: ExecCredentialsOptions = {
    config: {
      apiVersion,
      command: 'sh',
      args: ['-c', `echo run >> '${runs}'; ${script}`],
      interactiveMode: 'Never',
      ...config,
    },
    cluster: {
      server: 'https://192.0.2.1',
      extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } }],
    },
    server: new URL('https://192.0.2.1'),
    ca: Buffer.from('CA'),
    clock: systemClock,
    pluginPolicy,
    environment: { PATH: process.env['PATH'], FROM_OUTSIDE: 'yes' },
  };
  const source = execCredentials(options);
  return { options, source, runs: () => readFileSync(runs, 'utf8').split('\n').length - 1 };
}

const print = (status: object) =>
  `cat <<'END'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}\nEND`;

test('a plugin runs once for all who wait, and not again while its credentials last', async (context) => {
  const expirationTimestamp = new Date(Date.now() + 60_000).toISOString();
  const { source, runs } = plugin(context, print({ token: 't', expirationTimestamp }));
  const all = await Promise.all([source.current(), source.current(), source.current()]);
  assert.deepEqual(all, [{ token: 't' }, { token: 't' }, { token: 't' }]);
  await source.current();
  assert.equal(runs(), 1);
});

test('a plugin is looked for on the PATH of who asks, not on that which its kubeconfig says', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-plugin-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'sh'), `#!/bin/sh\n${print({ token: 'of another program' })}\n`, {
    mode: 0o755,
  });
  const env = [{ name: 'PATH', value: `${folder}:/bin` }];
  for (const pluginPolicy of [undefined, { policy: 'Allowlist', allowlist: ['sh'] }]) {
    const { source } = plugin(context, print({ token: 'of this one' }), { env }, pluginPolicy);
    assert.deepEqual(await source.current(), { token: 'of this one' });
  }
});

test('expired credentials are asked for again at each use', async (context) => {
  const { source, runs } = plugin(
    context,
    print({ token: 't', expirationTimestamp: '2001-01-01T00:00:00Z' }),
  );
  await source.current();
  await source.current();
  assert.equal(runs(), 2);
});

test('refused credentials are replaced once, however many requests were refused', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-plugin-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const answer = join(folder, 'answer');
  const say = (token: string) =>
    writeFileSync(answer, JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token } }));
  const { source, runs } = plugin(context, `cat '${answer}'`);
  say('old');
  const old = await source.current();
  say('new');
  assert.deepEqual(await Promise.all([source.replace(old), source.replace(old)]), [true, true]);
  assert.equal(await source.replace(old), true);
  assert.deepEqual(await source.current(), { token: 'new' });
  assert.equal(runs(), 2);
});

test('the plugin sees the environment, its own variables, and the cluster if it asks for it', async (context) => {
  const script = `printf '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"%s"}}' "$(printf '%s|%s|%s' "$FROM_OUTSIDE" "$OWN" "$KUBERNETES_EXEC_INFO" | base64 -w0)"`;
  const { source } = plugin(context, script, {
    env: [{ name: 'OWN', value: 'mine' }],
    provideClusterInfo: true,
  });
  const { token = '' } = await source.current();
  const [outside, own, info = ''] = Buffer.from(token, 'base64').toString().split('|');
  assert.deepEqual([outside, own], ['yes', 'mine']);
  assert.deepEqual(JSON.parse(info), {
    kind: 'ExecCredential',
    apiVersion,
    spec: {
      cluster: {
        server: 'https://192.0.2.1',
        'certificate-authority-data': Buffer.from('CA').toString('base64'),
        config: { audience: 'a' },
      },
      interactive: false,
    },
  });
});

test('what a plugin gets wrong is said in the words of client-go', async (context) => {
  const hint = { installHint: 'get it \u001b[1mhere' };
  const rows: [script: string, config: Partial<ExecConfig>, message: RegExp][] = [
    ['exit 3', {}, /^getting credentials: exec: executable sh failed with exit code 3$/],
    ['kill -9 $$', {}, /exec: executable sh failed with exit code -1$/],
    [
      '',
      { command: 'no-such-plugin', ...hint },
      /executable no-such-plugin not found[\s\S]*get it U\+001B\[1mhere$/,
    ],
    ['', { command: '/no/such' }, /exec: fork\/exec \/no\/such: no such file or directory$/],
    ['echo junk', {}, /decoding stdout: couldn't get version\/kind/],
    ['echo "{"', {}, /decoding stdout: /],
    [`echo '{"kind":"Pod","apiVersion":"v1"}'`, {}, /no kind "Pod" is registered for version "v1"/],
    [`echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}"}'`, {}, /didn't return a status field$/],
    // A kind that is not said is the one that is waited for.
    [`echo '{"apiVersion":"${apiVersion}"}'`, {}, /didn't return a status field$/],
    [print({}), {}, /didn't return a token or cert\/key pair$/],
    [print({ clientKeyData: 'k' }), {}, /returned only certificate or key, not both$/],
    [
      print({ clientCertificateData: 'c', clientKeyData: 'k' }),
      {},
      /failed parsing client key\/certificate: /,
    ],
    [print({ token: 't', expirationTimestamp: 'soon' }), {}, /"soon" is not an RFC 3339 time$/],
    [print({ token: 't', expirationTimestamp: '2100' }), {}, /"2100" is not an RFC 3339 time$/],
    [
      print({ token: 't', expirationTimestamp: 'Fri, 01 Jan 2100 00:00:00 GMT' }),
      {},
      /GMT" is not an RFC 3339 time$/,
    ],
    [
      print({ token: 't' }).replace('/v1"', '/v1beta1"'),
      {},
      /configured to use API version client.authentication.k8s.io\/v1, plugin returned version client.authentication.k8s.io\/v1beta1$/,
    ],
    ['', { interactiveMode: 'Always' }, /cannot support interactive mode: standard input is not a terminal$/],
  ];
  for (const [script, config, message] of rows) {
    const { source } = plugin(context, script, config);
    await assert.rejects(source.current(), { name: 'ClientError', code: 'no-credentials', message });
  }
});

test('a plugin that may ask at the terminal does not where standard input is read by something else, and one that has to is not run', async (context) => {
  const { options, runs } = plugin(context, print({ token: 't' }));
  const stdinInUse = 'used by stdin resource manifest reader';
  const of = (interactiveMode: ExecInteractiveMode) =>
    execCredentials({
      ...{ ...options, hasTerminal: true, stdinInUse },
      config: { ...options.config, interactiveMode },
    });
  await assert.rejects(of('Always').current(), {
    message:
      'getting credentials: exec plugin cannot support interactive mode: standard input is unavailable: used by stdin resource manifest reader',
  });
  assert.equal(runs(), 0);
  assert.deepEqual(await of('IfAvailable').current(), { token: 't' });
});

test('an API version that is not spoken is refused before anything runs', (context) => {
  assert.throws(() => plugin(context, '', { apiVersion: 'client.authentication.k8s.io/v1alpha1' }), {
    code: 'bad-config',
    message: 'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
  });
});
