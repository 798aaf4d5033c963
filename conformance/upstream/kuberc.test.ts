/** The same files of preferences, and the same lines with them, to kubectl 1.36 and to wherry. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { run } from '../../e2e/command.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { buildKubectl } from '../e2e/build.ts';
import { areBuilt } from '../peers/are-built.ts';

const wherry = new URL('../../packages/wherry/src/main.ts', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'wherry-kuberc-'));
let server: TestServer;
let kubectl: string;

before(async () => {
  kubectl = areBuilt ? new URL('../bin/kubectl', import.meta.url).pathname : await buildKubectl();
  server = await TestServer.start();
  for (const name of ['a', 'b'])
    await server.request('POST', '/api/v1/namespaces/default/configmaps', {
      body: { metadata: { name, labels: { app: name } }, data: { k: 'v' } },
    });
});
after(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Typed {
  /** What the file of preferences has; undefined for none. */
  file?: string | undefined;
  environment?: Record<string, string>;
  input?: string;
}

let count = 0;
const differences: string[] = [];

/** Notes where the two say something else, end otherwise, or leave another file. `@` in a line is the file. */
async function type(line: string, { file, environment = {}, input = '' }: Typed = {}): Promise<void> {
  const ended: unknown[] = [];
  for (const program of [[kubectl], [process.execPath, wherry]]) {
    count += 1;
    const home = join(folder, `${count}`);
    const path = join(home, '.kube', 'kuberc');
    mkdirSync(join(home, '.kube'), { recursive: true });
    if (file !== undefined) writeFileSync(path, file);
    const words = line.split(' ').map((word) => word.replace('@', path));
    const found = await run('sh', ['-c', 'printf %s "$INPUT" | "$@"', 'sh', ...program, ...words], {
      env: {
        ...{ HOME: home, KUBECONFIG: server.kubeconfig, PATH: process.env['PATH'] ?? '', INPUT: input },
        ...environment,
      },
    });
    const plain = (text: string) =>
      text
        .replaceAll(path, '@')
        .replaceAll('kubectl', 'wherry')
        // One is typed a moment after the other.
        .replaceAll(/\b(?:\d+[hms])+$/gm, 'AGE')
        // Why a token is not good is the server's to say.
        .replace(/(must be logged in to the server).*/, '$1')
        // Which words are like one that is no command is told otherwise.
        .replace(/(unknown command).*/s, '$1')
        // Each has its own way of saying what a switch may be.
        .replace(/(invalid argument "\w*" for "--?\w+").*/s, '$1')
        .trim();
    // kubectl ends no line that tells what it passes over.
    ended.push({
      ...{ code: found.code, stdout: plain(found.stdout), stderr: plain(found.stderr).replaceAll('\n', '') },
      file: existsSync(path) ? readFileSync(path, 'utf8') : undefined,
    });
  }
  try {
    assert.deepEqual(ended[1], ended[0]);
  } catch (error) {
    differences.push(`${line}\n${file ?? ''}${(error as Error).message}`);
  }
}

afterEach(() => {
  const all = differences.splice(0);
  assert.equal(all.length, 0, all.join('\n\n'));
});

const head = 'apiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\n';
const preferences = `${head}
aliases:
- name: getn
  command: get
  prependArgs: [configmaps]
  options: [{name: output, default: name}]
- name: ann
  command: annotate
  appendArgs: [x=y]
  options: [{name: dry-run, default: client}, {name: overwrite, default: "true"}]
- name: viewer
  command: config
- name: deep
  command: create configmap
  options: [{name: dry-run, default: client}, {name: output, default: name}]
defaults:
- command: get
  options: [{name: output, default: name}, {name: show-labels, default: "false"}]
- command: create configmap
  options: [{name: dry-run, default: client}]
`;
const alpha = preferences
  .replace('v1beta1', 'v1alpha1')
  .replaceAll('options:', 'flags:')
  .replace('defaults:', 'overrides:');

test('aliases and other defaults', async () => {
  for (const file of [alpha, `---\n# nothing\n---\n${preferences}`, `kind: Other\n---\n${alpha}`])
    for (const line of ['getn', 'get cm a', 'deep new']) await type(line, { file });
  for (const line of [
    ...['getn', 'getn a', 'getn a -o jsonpath={.data.k}', 'getn --output=jsonpath={.metadata.name} b'],
    ...['get configmaps', 'get cm a -o=jsonpath={.data.k}', 'ann configmap a', 'viewer current-context'],
    ...['deep new', 'create configmap new', 'create configmap new --dry-run=none -o name --dry-run=client'],
    ...['get cm -l app=b', 'getn -l app=b', 'nothing', 'getn nothing'],
  ])
    await type(line, { file: preferences });
});

test('where the file is, and whether it is looked at', async () => {
  const file = preferences;
  await type('get cm', { file, environment: { KUBERC: 'off' } });
  await type('get cm', { file, environment: { KUBECTL_KUBERC: 'false' } });
  await type('get cm --kuberc=@', { file, environment: { KUBERC: 'off' } });
  await type('get cm --kuberc=@', { file });
  await type('get cm --kuberc @', { file });
  await type('get cm --kuberc=/nowhere', { file });
  await type('get cm --kuberc', { file });
  await type('get cm', { file, environment: { KUBERC: '/nowhere' } });
  await type('kuberc view', { file, environment: { KUBERC: 'off' } });
});

test('what is wrong with a file', async () => {
  const one = (text: string) => `${head}${text}\n`;
  for (const file of [
    ...['', '# nothing\n', 'hello\n', '[', 'kind: Preference\n', head.replace('v1beta1', 'v2')],
    ...[one('unknown: 1'), one('aliases: [{name: getn, command: get, no: 1}]'), one('aliases: {}')],
    ...[
      one('aliases: null\naliases: []'),
      one('defaults: [{command: get, options: [{name: watch, default: true}]}]'),
    ],
    ...[
      one('aliases: [{name: get-n, command: get}]'),
      one('aliases: [{name: a, command: get}, {name: a, command: get}]'),
    ],
    ...[one('aliases: [{name: getn, command: nothing}]'), one('defaults: [{command: nothing, options: []}]')],
    ...[one('defaults: [{command: get, options: [{name: nothing, default: x}]}]')],
    ...[one('defaults: [{command: get, options: [{name: --output, default: x}]}]')],
    ...[one('aliases: [{name: getn, command: get}]\ndefaults: [{command: getn, options: []}]')],
    ...[one('credentialPluginPolicy: Some'), one('credentialPluginPolicy: Allowlist')],
    ...[one('credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []')],
    ...[one('credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{}]')],
    ...[one('credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: a//b}]')],
    ...[one('credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: b/}]')],
    ...[one('credentialPluginPolicy: DenyAll\ncredentialPluginAllowlist: [{name: a}]')],
    ...[one('credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: a, command: b}]')],
  ]) {
    await type('get cm -o name', { file });
    await type('getn cm -o name --kuberc=@', { file });
  }
});

test('kuberc view', async () => {
  const file = preferences;
  for (const line of [
    '',
    ' -o json',
    ' -o yaml',
    ' -o jsonpath={.kind}',
    ' --kuberc=@',
    ' --kuberc=/nowhere',
  ])
    await type(`kuberc view${line}`, { file });
  await type('kuberc view', { input: 'y\n' });
  await type('kuberc view', { input: '\n' });
  await type('kuberc view', { file: `${head}credentialPluginPolicy: DenyAll\n` });
});

test('kuberc set', async () => {
  for (const file of [undefined, preferences])
    for (const line of [
      ...['', '--section nothing', '--section defaults', '--section defaults --command get'],
      '--section defaults --command get --option output=wide',
      '--section defaults --command get --option --output=wide --option watch=true --overwrite',
      ...['--section defaults --command get --option output', '--section defaults --command get --name a'],
      ...['--section defaults --command get --prependarg a', '--section aliases --command get'],
      ...['--section aliases --name getn', '--section aliases --name getn --command get'],
      '--section aliases --name getn --command get --prependarg pods --appendarg -- --appendarg x --overwrite',
      '--section aliases --name other --command get --option output=json',
      ...['--section credentialplugin', '--section credentialplugin --policy Some'],
      ...['--section credentialplugin --policy DenyAll', '--section credentialplugin --policy Allowlist'],
      '--section credentialplugin --policy DenyAll --allowlist-entry command=a',
      '--section credentialplugin --policy Allowlist --allowlist-entry command=a,command=/b/c',
      '--section credentialplugin --policy Allowlist --allowlist-entry name=a --allowlist-entry other=b --allowlist-entry command= --allowlist-entry x',
    ])
      await type(`kuberc set ${line}`.trim(), { file });
});

test('which credential plugins may run', async () => {
  const plugin = join(folder, 'login');
  const credential =
    '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}}';
  writeFileSync(plugin, `#!/bin/sh\necho '${credential}'\n`, { mode: 0o755 });
  const config = join(folder, 'plugin.kubeconfig');
  const authority = Buffer.from(server.authority.cert).toString('base64');
  const user = (command: string) =>
    JSON.stringify({
      exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' },
    });
  for (const command of [plugin, 'login', 'nothing']) {
    writeFileSync(
      config,
      `apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: "${server.apiserver.url}", certificate-authority-data: "${authority}"}}]\nusers: [{name: u, user: ${user(command)}}]\n`,
    );
    const environment = { KUBECONFIG: config, PATH: `${folder}:${process.env['PATH']}` };
    for (const policy of [
      ...['credentialPluginPolicy: AllowAll', 'credentialPluginPolicy: DenyAll'],
      ...['login', plugin, 'other', '/bin/login'].map(
        (entry) => `credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: ${entry}}]`,
      ),
    ])
      if (command !== 'nothing' || policy.includes('list:'))
        await type('get --raw /version', { file: `${head}${policy}\n`, environment });
  }
});
