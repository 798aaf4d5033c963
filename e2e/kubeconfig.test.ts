import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { createKubeClient, loadClusterAccess, loadKubeconfig } from '@wherry/client';
import { run } from './command.ts';
import { unlessKubectlHas } from './kubectl-version.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-kubeconfig-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, document: unknown): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}

const v1 = { apiVersion: 'v1', kind: 'Config' };
const closedPort = 'https://127.0.0.1:1';

/** A kubeconfig of one context. */
const one = (user: object, cluster: object = {}, more: object = {}) => ({
  ...v1,
  'current-context': 'x',
  clusters: [{ name: 'c', cluster: { server: closedPort, ...cluster } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  ...more,
});

interface View {
  'current-context': string;
  clusters: { name: string }[];
  users: { name: string }[];
  contexts: { name: string }[];
}

/** Older kubectls know other plugins, and say other things of them. */
const skip = unlessKubectlHas('client.authentication.k8s.io/v1');

test('several files are merged as kubectl merges them, paths by the file that says them', {
  skip,
}, async () => {
  const paths = [
    write('a/config', {
      ...v1,
      clusters: [{ name: 'c', cluster: { server: 'https://a.test', 'certificate-authority': 'ca.crt' } }],
      users: [{ name: 'u', user: { tokenFile: '../token', exec: null } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    }),
    join(folder, 'absent'),
    write('b/config', {
      ...v1,
      'current-context': 'y',
      clusters: [
        { name: 'c', cluster: { server: 'https://b.test', 'tls-server-name': 'left-out' } },
        { name: 'd', cluster: { server: 'https://d.test', 'proxy-url': 'socks5://p:1080' } },
      ],
      users: [
        { name: 'u', user: { token: 'left-out' } },
        {
          name: 'v',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: './bin/plugin',
              args: ['a'],
              env: [{ name: 'A', value: 'b' }],
              interactiveMode: 'Never',
              provideClusterInfo: false,
            },
          },
        },
        {
          name: 'w',
          user: { 'client-certificate': 'w.crt', 'client-key': 'w.key', as: 'z', 'as-groups': ['g'] },
        },
      ],
      contexts: [
        { name: 'x', context: { cluster: 'd', user: 'v' } },
        { name: 'y', context: { cluster: 'd', user: 'v', namespace: 'there' } },
      ],
    }),
    write('c/config', { ...v1, 'current-context': 'x' }),
    write('c/empty', ''),
  ];
  for (const name of ['a/ca.crt', 'b/w.crt', 'b/w.key']) write(name, `content of ${name}`);
  const KUBECONFIG = paths.join(':');
  const words = ['config', 'view', '--raw', '--flatten', '-o', 'json'];
  const finished = await run('kubectl', words, { env: { KUBECONFIG } });
  assert.equal(finished.code, 0, finished.stderr);
  const view = JSON.parse(finished.stdout) as View;
  const ours = loadKubeconfig(undefined, { KUBECONFIG });
  assert.equal(ours.currentContext, view['current-context']);
  assert.deepEqual(Object.fromEntries(ours.contexts), byName(view.contexts, 'context'));
  assert.deepEqual(flattened(ours.clusters), byName(view.clusters, 'cluster'));
  // kubectl leaves these two as they are written until it uses them.
  const asWritten = {
    u: { tokenFile: '../token' },
    v: { exec: { ...ours.users.get('v')?.exec, command: './bin/plugin' } },
  };
  assert.deepEqual({ ...flattened(ours.users), ...asWritten }, byName(view.users, 'user'));
  assert.equal(ours.users.get('u')?.tokenFile, join(folder, 'token'));
  assert.equal(ours.users.get('v')?.exec?.command, join(folder, 'b/bin/plugin'));
});

function byName(entries: { name: string }[], field: string): Record<string, unknown> {
  return Object.fromEntries(
    entries.map((entry) => [entry.name, (entry as Record<string, unknown>)[field]] as const),
  );
}

/** Entries with the content of their files in place of the paths, as `--flatten` has them. */
function flattened(entries: ReadonlyMap<string, object>): Record<string, object> {
  const files = ['certificate-authority', 'client-certificate', 'client-key'];
  const one = (entry: object) =>
    Object.entries(entry).map(([field, value]: [string, unknown]) =>
      files.includes(field)
        ? [`${field}-data`, readFileSync(String(value)).toString('base64')]
        : [field, value],
    );
  return Object.fromEntries([...entries].map(([name, entry]) => [name, Object.fromEntries(one(entry))]));
}

const v1Exec = { apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never' };
const exec = (words: string[], more: object = {}) => {
  const [command, ...args] = words;
  return { exec: { ...v1Exec, command, args, ...more } };
};
const printing = (answer: object) => exec(['echo', JSON.stringify(answer)]);
const credential = { kind: 'ExecCredential', apiVersion: 'client.authentication.k8s.io/v1' };

/** What is wrong with each; kubectl is asked for its words. */
const mistakes: Record<string, unknown> = {
  'two methods': one({ token: 'a', username: 'b', password: 'c' }),
  'no key': one({ 'client-certificate-data': 'QUJD' }),
  'groups without a user': one({ token: 'a', 'as-groups': ['g'] }),
  'a plugin without a command': one({ exec: v1Exec }),
  'a plugin without a version': one({ exec: { command: 'a', interactiveMode: 'Never' } }),
  'a plugin without a mode': one({ exec: { command: 'a', apiVersion: v1Exec.apiVersion } }),
  'a plugin with a wrong mode': one(exec(['a'], { interactiveMode: 'Maybe' })),
  'a plugin with an old version': one(exec(['a'], { apiVersion: 'client.authentication.k8s.io/v1alpha1' })),
  'a plugin beside a provider': one({ ...exec(['a']), 'auth-provider': { name: 'gcp' } }),
  'a variable without a name': one(exec(['a'], { env: [{ value: 'b' }] })),
  'a certificate that is not there': one({ 'client-certificate': '/nope', 'client-key-data': 'QUJD' }),
  'an authority that is not there': one({ token: 'a' }, { 'certificate-authority': '/nope' }),
  'an authority that is no PEM': one({ token: 'a' }, { 'certificate-authority-data': 'QUJD' }),
  'an authority and no checking': one(
    { token: 'a' },
    { 'certificate-authority-data': 'QUJD', 'insecure-skip-tls-verify': true },
  ),
  'two authorities': one(
    { token: 'a' },
    { 'certificate-authority-data': 'QUJD', 'certificate-authority': '/dev/null' },
  ),
  'a proxy of another kind': one({ token: 'a' }, { 'proxy-url': 'ftp://a' }),
  'a plugin that fails': one(exec(['sh', '-c', 'exit 3'])),
  'a plugin that is killed': one(exec(['sh', '-c', 'kill -9 $$'])),
  'a plugin that is not there': one(exec(['no-such-plugin'])),
  'a plugin whose file is not there': one(exec(['/no/such/plugin'])),
  'a plugin without a status': one(printing(credential)),
  'a plugin without credentials': one(printing({ ...credential, status: {} })),
  'a plugin with half a pair': one(printing({ ...credential, status: { clientKeyData: 'k' } })),
  'a plugin of another version': one(
    printing({ ...credential, apiVersion: 'client.authentication.k8s.io/v1beta1', status: { token: 't' } }),
  ),
  'a plugin that needs a terminal': one(exec(['a'], { interactiveMode: 'Always' })),
  'a name that is not known': one({ 'auth-provider': { name: 'foo' } }),
};

for (const [what, document] of Object.entries(mistakes)) {
  test(`what is wrong is said in kubectl's words: ${what}`, { skip }, async () => {
    const path = write(`wrong-${what.replaceAll(/\W/g, '-')}`, document);
    const env = { KUBECONFIG: path, HOME: folder };
    const { stderr } = await run('kubectl', ['get', '--raw', '/version'], { env });
    const said = stderr.replace(/^error: |^Unable to connect to the server: /, '').trim();
    await assert.rejects(
      async () => {
        const client = createKubeClient({ kubeconfig: path });
        try {
          await client.request({ method: 'GET', path: '/version' });
        } finally {
          client.close();
        }
      },
      ({ message }: Error) => {
        assert.ok(message.startsWith(said) || said.startsWith(message), `kubectl: ${said}\nours: ${message}`);
        return true;
      },
    );
  });
}

test('several mistakes are said together', { skip }, async () => {
  const path = write('several', one({ exec: { command: 'a' } }));
  const { stderr } = await run('kubectl', ['get', '--raw', '/version'], { env: { KUBECONFIG: path } });
  assert.match(stderr, /^\* .*\n\* /m);
  assert.throws(() => loadClusterAccess({ kubeconfig: path }), { message: stderr.trim() });
});

test('a file that is no kubeconfig is refused with its name and the field', () => {
  const rows: [content: string, message: RegExp][] = [
    ['a: [', /error loading config file ".*junk": /],
    ['7', /it is not a mapping/],
    ['clusters: 7', /clusters must be a list/],
    ['clusters: [{cluster: {}}]', /clusters\[0\]\.name must be a string/],
    ['clusters: [{name: c, cluster: {server: 7}}]', /clusters\[0\]\.cluster\.server must be a string/],
    [
      'clusters: [{name: c, cluster: {certificate-authority-data: "*"}}]',
      /certificate-authority-data must be base64/,
    ],
    ['clusters: [{name: c}, {name: c}]', /duplicate name "c" in clusters/],
    ['users: [{name: u, user: {exec: {args: x}}}]', /users\[0\]\.user\.exec\.args must be a list of strings/],
  ];
  for (const [content, message] of rows) {
    const path = write('junk', content);
    assert.throws(() => loadKubeconfig(path), { code: 'bad-config', message });
  }
});
