/** `config`, and the real kubectl. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KubeconfigsBesideKubectl } from './kubeconfigs-beside-kubectl.ts';

const both = new KubeconfigsBesideKubectl();
after(() => both.close());

const data = Buffer.from('data').toString('base64');
const config = `apiVersion: v1
kind: Config
# The one that I work with.
current-context: one
clusters:
- name: near
  cluster: {server: https://near, certificate-authority: ca.crt}
- name: far.example.com
  cluster:
    server: https://far
    certificate-authority-data: ${data}
    extensions: [{name: e, extension: {a: 1}}]
contexts:
- name: one
  context: {cluster: near, user: ann, namespace: work}
- name: two
  context: {cluster: far.example.com, user: bob}
users:
- name: ann
  user:
    token: secret
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: helpers/login
      args: [a]
      env: [{name: A, value: '1'}, {name: B, value: '2'}]
      interactiveMode: Never
      provideClusterInfo: false
- name: bob
  user: {username: bob, password: hidden, client-key-data: ${data}, as: me, auth-provider: {name: oidc, config: {id-token: x}}}
extensions:
- name: top
  extension: {b: 2}
preferences: {colors: true}
`;
const other = `apiVersion: v1
kind: Config
current-context: three
clusters:
- name: near
  cluster: {server: https://hidden}
- name: third
  cluster: {server: https://third}
contexts:
- name: three
  context: {cluster: third, user: cid}
users:
- name: cid
  user: {token: cid}
`;

beforeEach(() => {
  both.paths = 'HERE/config';
  both.fill({ config, other, 'ca.crt': 'authority', 'key.pem': 'key' });
});

/** Older ones lack some of the flags. */
const hasPeer = (): boolean => {
  const version = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  return !(Number.parseInt(JSON.parse(version).clientVersion.minor, 10) < 32);
};
const skip = hasPeer() ? false : 'kubectl before 1.32 has not all of its flags';

async function typeLines(...lines: string[]): Promise<void> {
  for (const line of lines) await both.typeLine(line);
}

test('config view shows what kubectl shows, without secrets unless asked for', { skip }, async () => {
  await typeLines(
    'view',
    'view -o json',
    'view --raw',
    'view --raw -o json',
    'view --minify',
    'view --minify --context=two',
    'view --minify --context three',
    'view --flatten',
    'view --flatten --minify --context=two',
    'view --merge=false',
    'view --merge=false --kubeconfig=HERE/other',
    'view --merge=false --kubeconfig=HERE/nope',
    'view --kubeconfig=HERE/nope',
    'view --kubeconfig HERE/other --minify',
  );
});

test('config lists contexts, clusters and users as kubectl', { skip }, async () => {
  await typeLines(
    'get-contexts',
    'get-contexts two',
    'get-contexts -o name',
    'get-contexts --no-headers',
    'get-contexts one nope',
    'get-contexts nope nada',
    'get-contexts -o json',
    'get-users',
    'current-context',
    'current-context --kubeconfig=HERE/nope',
    'get-contexts --kubeconfig=HERE/nope',
  );
  const { stdout } = await both.run('get-clusters');
  assert.equal(stdout, 'NAME\nfar.example.com\nnear\n');
});

test('config changes contexts as kubectl', { skip }, async () => {
  await typeLines(
    'use-context two',
    'use two',
    'use-context nope',
    'rename-context two second',
    'rename-context nope x',
    'rename-context one second',
    'set-context --current --namespace=other',
    'set-context --current --namespace=other2 --user=ann',
    'set-context new --cluster=near --user=bob',
    'set-context empty',
    'set-context new --user=',
    'set-context one --namespace=',
    'set-context',
    'set-context x --current',
    'delete-context new',
    'delete-context new',
    'delete-context second',
    'set-context --current --namespace=other',
  );
});

test('config set-cluster changes what kubectl changes', { skip }, async () => {
  await typeLines(
    'set-cluster fresh',
    'set-cluster fresh --server=https://fresh --tls-server-name=name --proxy-url=http://proxy',
    'set-cluster fresh --server=https://other',
    'set-cluster fresh --certificate-authority=HERE/ca.crt',
    'set-cluster fresh --insecure-skip-tls-verify',
    'set-cluster fresh --insecure-skip-tls-verify=false',
    'set-cluster fresh --certificate-authority=HERE/ca.crt --embed-certs',
    'set-cluster fresh --certificate-authority=/etc/ca.crt --embed-certs=false',
    'set-cluster far.example.com --insecure-skip-tls-verify=true',
    'set-cluster near --server=https://nearer',
    'set-cluster x --embed-certs',
    'set-cluster x --embed-certs --certificate-authority=HERE/nope',
    'set-cluster x --insecure-skip-tls-verify --certificate-authority=HERE/ca.crt',
    'delete-cluster fresh',
    'delete-cluster fresh',
  );
});

test('config set-credentials changes what kubectl changes', { skip }, async () => {
  await typeLines(
    'set-credentials fresh',
    'set-credentials fresh --token=t',
    'set-credentials fresh --username=u --password=yes',
    'set-credentials fresh --token=1234',
    'set-credentials fresh --client-certificate=HERE/ca.crt --client-key=HERE/key.pem',
    'set-credentials fresh --client-certificate=HERE/ca.crt --client-key=HERE/key.pem --embed-certs',
    'set-credentials fresh --client-key=/elsewhere/key.pem',
    'set-credentials fresh --exec-arg=ignored',
    'set-credentials fresh --exec-command=login --exec-api-version=client.authentication.k8s.io/v1',
    'set-credentials fresh --exec-arg=--a,b --exec-arg="c,d" --exec-env=A=1',
    'set-credentials fresh --exec-interactive-mode=IfAvailable --exec-provide-cluster-info',
    'set-credentials ann --exec-env=A- --exec-env=B=3 --exec-env=C=x=y',
    'set-credentials ann --exec-command=HERE/helpers/other',
    'set-credentials bob --auth-provider=oidc --auth-provider-arg=client-id=c,id-token-',
    'set-credentials fresh --auth-provider=oidc --auth-provider-arg=client-id=c',
    'set-credentials x --token=a --username=b',
    'set-credentials x --embed-certs',
    'set-credentials x --embed-certs --client-key=HERE/nope',
    'set-credentials x --exec-interactive-mode=Sometimes',
    'delete-user fresh',
    'delete-user fresh',
  );
});

test('config set and unset find what a path names as kubectl does', { skip }, async () => {
  await typeLines(
    'set current-context two',
    'unset current-context',
    'set clusters.far.example.com.server https://further',
    'set clusters.10.0.0.1.insecure-skip-tls-verify true',
    'set clusters.10.0.0.1.insecure-skip-tls-verify false',
    `set clusters.near.certificate-authority-data ${data}`,
    'set clusters.near.certificate-authority-data plain --set-raw-bytes',
    'set contexts.fresh.namespace work',
    'set users.fresh.act-as someone',
    'set users.fresh.password yes',
    'set preferences.colors false',
    'set preferences.colors true',
    'unset preferences.colors',
    'unset contexts.one.namespace',
    'unset contexts.one.cluster',
    'unset clusters.near.server',
    'unset users.bob.act-as',
    'unset users.ann.exec',
    'unset users.bob',
    'unset users.bob',
    'unset contexts',
    'set users.ann.exec.command x',
    'set clusters.near.server.x y',
    'set clusters.near.insecure-skip-tls-verify maybe',
    'unset clusters.nope.server',
  );
});

test('config writes each change into the file that has it, and what is new into the first', {
  skip,
}, async () => {
  both.paths = 'HERE/missing:HERE/config:HERE/other:HERE/config';
  await typeLines(
    'view',
    'get-contexts',
    'set-context three --namespace=far',
    'use-context three',
    'set-credentials cid --token=new',
    'set-cluster near --server=https://seen',
    'set-cluster fresh --server=https://fresh',
    'rename-context three third',
    'delete-cluster near',
    'delete-cluster near',
    'delete-context third',
    'set preferences.colors false',
    'unset current-context',
    'unset current-context',
  );
  both.paths = 'HERE/no/one:HERE/no/two';
  await typeLines('get-contexts', 'set-context made --cluster=c', 'use-context made');
  both.paths = '';
  await typeLines('set-cluster at-home --server=https://home', 'view');
  both.paths = 'HERE/config';
  await typeLines(
    'set-cluster named --server=https://named --kubeconfig=HERE/a/new/one',
    'view --kubeconfig=HERE/a/new/one',
  );
});

test('config view takes a template', () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const read = (template: string) =>
    execFileSync(
      process.execPath,
      [main, 'config', 'view', '--kubeconfig', join(both.ours, 'config'), '-o', template],
      {
        encoding: 'utf8',
      },
    );
  assert.equal(read('jsonpath={.users[?(@.name=="bob")].user.password}'), 'REDACTED');
});

const failed = (stderr: string) => ({ code: 1, stdout: '', stderr: `error: ${stderr}\n` });
const ours = (name: string) => readFileSync(join(both.ours, name), 'utf8');

test('config keeps comments and fields that nobody knows', async () => {
  const text = config.replace('    server: https://far', '    server: https://far # slow\n    shape: round');
  both.fill({ config: text });
  await both.run('set-cluster far.example.com --tls-server-name=far');
  const shown = ours('config');
  assert.match(shown, /# The one that I work with\.\ncurrent-context: one/);
  assert.match(shown, /server: https:\/\/far # slow\n +shape: round\n/);
  assert.match(shown, /tls-server-name: far/);
  assert.doesNotMatch((await both.run('view')).stdout, /shape/);
});

test('config leaves a file that nothing changes in, and makes others private', async () => {
  const path = join(both.ours, 'config');
  chmodSync(path, 0o644);
  await both.run('use-context one');
  assert.equal(ours('config'), config);
  await both.run('use-context two');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('config changes nothing while another holds the lock of any of its files, and leaves no lock', async () => {
  both.paths = 'HERE/other:HERE/config';
  const lock = join(both.ours, 'other.lock');
  writeFileSync(lock, '');
  const held = await both.run('set-cluster near --server=https://x --kubeconfig=HERE/other');
  assert.match(held.stderr, /other\.lock" says that another program changes this file/);
  assert.match((await both.run('set-context one --namespace=x')).stderr, /other\.lock"/);
  assert.deepEqual([ours('config'), ours('other')], [config, other]);
  assert.ok(existsSync(lock));
  assert.ok(!existsSync(join(both.ours, 'config.lock')));
});

test('a command that exec plugins are started by keeps its slash', async () => {
  await both.run('set-credentials x --exec-command=./login');
  assert.match(ours('config'), /command: \.\/login\n/);
});

test('config refuses what it can not do by name', async () => {
  const pointer = (command: string) => `\nSee 'wherry config ${command} -h' for help and examples`;
  for (const [line, says] of [
    ['use-context', `Unexpected args: []${pointer('use-context')}`],
    ['rename-context a', `Unexpected args: [a]${pointer('rename-context')}`],
    ['delete-cluster', `Unexpected args: []${pointer('delete-cluster')}`],
    ['set clusters.near', `Unexpected args: [clusters.near]${pointer('set')}`],
    ['view x', `unexpected arguments: [x]${pointer('view')}`],
    [
      'set-credentials x --auth-provider=gcp',
      '--auth-provider=gcp is no longer there: clients know "oidc" alone, and get credentials of others by --exec-command',
    ],
    ['set-credentials x --exec-env=foo', 'invalid exec-env format: foo'],
    [
      'set foo.bar x',
      'unable to parse foo.bar: it begins with none of clusters, users, contexts, current-context, preferences',
    ],
    ['set kind x', '"kind" of a kubeconfig is not to be set'],
    [
      'set clusters.near x',
      "can't set a map to a value: clusters.near; behind the name one of its fields is missing",
    ],
    ['set users.ann.exec x', 'what is no text, bytes or switch is not to be set; edit the file'],
    ['set users.ann.client-key-data x!', 'the value is no base64; --set-raw-bytes takes it as it is'],
  ] as const)
    assert.deepEqual(await both.run(line), failed(says), line);
  assert.equal(ours('config'), config);
});

test('config set-credentials embeds what a pipe says, which can be read once', async () => {
  both.fill({ config });
  const pipe = join(both.ours, 'pipe');
  execFileSync('mkfifo', [pipe]);
  spawn('sh', ['-c', `printf certificate >'${pipe}'`]);
  const ended = await both.run(`set-credentials piped --embed-certs --client-certificate=${pipe}`);
  assert.deepEqual(ended, { code: 0, stdout: 'User "piped" set.\n', stderr: '' });
  const written = readFileSync(join(both.ours, 'config'), 'utf8');
  assert.match(written, new RegExp(Buffer.from('certificate').toString('base64')));
});
