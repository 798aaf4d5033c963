/** `diff`, by diff(1) and by programs of sh in its place. */
import assert from 'node:assert/strict';
import { type ExecFileException, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Served } from './served.ts';

let served: Served;
/** Where the folders of the two versions are made. */
let folder: string;

before(async () => {
  served = await Served.start();
  folder = mkdtempSync(join(tmpdir(), 'wherry-diff-'));
  process.env['TMPDIR'] = folder;
});
after(async () => {
  rmSync(folder, { recursive: true });
  await served?.close();
});

const configMap = (name: string, data: Record<string, string>, labels?: Record<string, string>) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(labels ? { labels } : {}) } },
  data,
});
/** kubectl takes several objects of JSON in one alone. */
const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });
const secret = (name: string, data: Record<string, string>) => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data },
});
const deployment = (name: string, images: Record<string, string>, annotations = {}) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, annotations } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: Object.entries(images).map(([container, image]) => ({ name: container, image })) },
    },
  },
});

/** Runs `wherry diff LINE` and gives what diff(1) printed, too: what was there and goes, and what comes. */
async function compared(line: string) {
  const out = join(served.server.folder, 'out');
  const program = join(served.server.folder, 'differ');
  writeFileSync(out, '');
  const script = `echo "$@" > ${out}.words; stat -c %a "$1" "$1"/* > ${out}.modes; diff -u -N "$1" "$2" > ${out}`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['KUBECTL_EXTERNAL_DIFF'] ??= program;
  const ended = await served.run(`diff ${line}`);
  delete process.env['KUBECTL_EXTERNAL_DIFF'];
  assert.deepEqual(readdirSync(folder), [], 'folders are left');
  return { ...ended, changed: changedLines(readFileSync(out, 'utf8')) };
}

const changedLines = (text: string): string[] =>
  text.split('\n').filter((one) => /^[-+](?!--|\+\+)/.test(one));
const without = (lines: readonly string[], pattern: RegExp) => lines.filter((line) => !pattern.test(line));

test('diff ends with 0 when nothing would change, and with 1 where something would; it stores nothing', async () => {
  const file = served.file('one.json', configMap('one', { k: '1' }));
  const made = await compared(`-f ${file}`);
  assert.equal(made.code, 1);
  assert.ok(made.changed.includes('+  k: "1"'), made.changed.join('\n'));
  assert.ok(made.changed.every((line) => line.startsWith('+')));
  await served.run(`apply -f ${file}`);
  assert.deepEqual(await compared(`-f ${file}`), { code: 0, stdout: '', stderr: '', changed: [] });
  const other = served.file('other.json', configMap('one', { k: '2' }));
  const differs = await compared(`-f ${other}`);
  assert.deepEqual([differs.code, differs.changed], [1, ['-  k: "1"', '+  k: "2"']]);
  const { data } = await served.client.get<{ metadata: object; data: object }>('ConfigMap/one');
  assert.deepEqual(data, { k: '1' });
  const managed = await compared(`-f ${other} --show-managed-fields --no-server-side --field-manager=looker`);
  assert.match(managed.changed.join('\n'), /^\+ +-? *manager: looker$/m);
});

test('diff of a file without objects ends with 0', async () => {
  const file = join(served.server.folder, 'empty.yaml');
  writeFileSync(file, '---\n# nothing\n');
  assert.deepEqual(await compared(`-f ${file}`), { code: 0, stdout: '', stderr: '', changed: [] });
});

test('diff shows as apply has it what the file no longer says', async () => {
  await served.run(`apply -f ${served.file('more.json', configMap('less', { k: '1', gone: '1' }))}`);
  const { changed } = await compared(`-f ${served.file('less.json', configMap('less', { k: '1' }))}`);
  assert.deepEqual(changed, ['-  gone: "1"']);
});

test('diff tells of fields that others manage, unless it is told to take them', async () => {
  const mine = served.file('mine.json', configMap('managed', { k: '1' }));
  await served.run(`apply -f ${mine} --field-manager=other`);
  const theirs = served.file('theirs.json', configMap('managed', { k: '2' }));
  const refused = await compared(`-f ${theirs}`);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /conflict with "other": \.data\.k/);
  const forced = await compared(`-f ${theirs} --force-conflicts`);
  assert.deepEqual([forced.code, forced.changed], [1, ['-  k: "1"', '+  k: "2"']]);
});

test('diff shows which keys of a secret change, and not to what', async () => {
  const values = (text: string) => Buffer.from(text).toString('base64');
  const before = secret('hidden', { same: values('same'), other: values('old'), gone: values('gone') });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(before) };
  await served.client.create({ ...before, metadata: { name: 'hidden', annotations } });
  const wanted = secret('hidden', { same: values('same'), other: values('new'), added: values('added') });
  const file = served.file('secret.json', wanted);
  const line = `-f ${file} --no-server-side`;
  const hidden = await compared(line);
  assert.deepEqual(hidden.changed, [
    ...["-  gone: '***'", "-  other: '*** (before)'", "+  added: '***'", "+  other: '*** (after)'"],
  ]);
  const shown = readFileSync(join(served.server.folder, 'out'), 'utf8');
  for (const text of ['same', 'old', 'new', 'gone', 'added'])
    assert.ok(!shown.includes(values(text)), `${text} is shown:\n${shown}`);
  const { changed } = await compared(`${line} --show-secrets`);
  assert.ok(changed.includes(`+  other: ${values('new')}`), changed.join('\n'));
});

test('diff looks at what the selector leaves, in folders in folders too, several at a time', async () => {
  const file = served.file(
    'several.json',
    ...['s1', 's2', 's3'].map((name) => configMap(name, { k: '1' }, { tier: name })),
  );
  const names = ({ changed }: { changed: string[] }) =>
    changed.flatMap((line) => /^\+ {2}name: (.+)/.exec(line)?.[1] ?? []).sort();
  assert.deepEqual(names(await compared(`-f ${file} --concurrency=3`)), ['s1', 's2', 's3']);
  assert.deepEqual(names(await compared(`-f ${file} -l tier=s2`)), ['s2']);
});

test('diff --prune shows what client-side apply made and the files no longer have', async () => {
  const keep = configMap('kept', { k: '1' }, { app: 'pruned' });
  const drop = configMap('dropped', { k: '1' }, { app: 'pruned' });
  const both = served.file('both.json', list(keep, drop));
  assert.equal((await kubectl('apply', '-f', both)).code, 0);
  await served.client.create(configMap('by-hand', {}, { app: 'pruned' }));
  const one = served.file('kept.json', keep);
  const line = `-f ${one} --no-server-side -l app=pruned --prune`;
  const { changed } = await compared(line);
  assert.ok(changed.includes('-  name: dropped'), changed.join('\n'));
  assert.ok(
    changed.every((text) => text.startsWith('-')),
    changed.join('\n'),
  );
  assert.doesNotMatch(changed.join('\n'), /by-hand/);
  assert.deepEqual((await compared(`${line} --prune-allowlist=core/v1/Secret`)).changed, []);
  assert.deepEqual((await compared(`${line} --prune-allowlist core/v1/ConfigMap`)).changed, changed);
  assert.match(
    (await compared(`${line} --prune-allowlist=pods`)).stderr,
    /invalid GroupVersionKind format: pods, please follow <group\/version\/kind>/,
  );
});

test('diff gives the external program both folders and those of its words that are harmless', async () => {
  const file = served.file('words.json', configMap('words', {}));
  const program = join(served.server.folder, 'differ');
  process.env['KUBECTL_EXTERNAL_DIFF'] = `${program} -N --color=always ;id $(id) a/b -u`;
  assert.equal((await compared(`-f ${file}`)).code, 1);
  const words = readFileSync(join(served.server.folder, 'out.words'), 'utf8').trim().split(' ');
  assert.match(words.slice(0, 2).join(' '), /^\S+\/LIVE-\w+ \S+\/MERGED-\w+$/);
  assert.deepEqual(words.slice(2), ['-N', '--color=always', '-u']);
  assert.match(readFileSync(join(served.server.folder, 'out.modes'), 'utf8'), /^700\n600\n$/);
  process.env['KUBECTL_EXTERNAL_DIFF'] = 'false';
  assert.equal((await compared(`-f ${file}`)).code, 1);
  process.env['KUBECTL_EXTERNAL_DIFF'] = join(served.server.folder, 'exits-3');
  writeFileSync(process.env['KUBECTL_EXTERNAL_DIFF'], '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const failed = await compared(`-f ${file}`);
  assert.equal(failed.code, 2);
  assert.match(failed.stderr, /^error: failed to run ".*exits-3": exit status 3\n$/);
  process.env['KUBECTL_EXTERNAL_DIFF'] = '/no/diff';
  assert.equal((await compared(`-f ${file}`)).code, 2);
});

test('diff that is interrupted ends its program and leaves no folder', async () => {
  const file = served.file('interrupted.json', configMap('interrupted', {}));
  const pid = join(served.server.folder, 'pid');
  const program = join(served.server.folder, 'sleeps');
  writeFileSync(program, `#!/bin/sh\necho $$ > ${pid}.new; mv ${pid}.new ${pid}; exec sleep 1000\n`, {
    mode: 0o755,
  });
  const env = { ...process.env, KUBECONFIG: served.server.kubeconfig, KUBECTL_EXTERNAL_DIFF: program };
  const child = spawn(process.execPath, [main, 'diff', '-f', file], { env });
  while (!existsSync(pid)) await delay(20);
  assert.equal(readdirSync(folder).length, 2);
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 130);
  assert.deepEqual(readdirSync(folder), []);
  assert.throws(() => process.kill(Number(readFileSync(pid, 'utf8')), 0), { code: 'ESRCH' });
});

test('diff ends with more than 1 when it fails, for wrong flags too', async () => {
  const file = served.file('invalid.json', configMap('invalid', { 'a b': '' }));
  const { code, stderr } = await compared(`-f ${file}`);
  assert.equal(code, 2);
  assert.match(stderr, /^The ConfigMap "invalid" is invalid: data\[a b\]: /);
  assert.deepEqual(await compared('-f /no/such/file'), {
    ...{ code: 2, stdout: '', stderr: 'error: the path "/no/such/file" does not exist\n', changed: [] },
  });
  assert.match(
    (await compared(`-f ${file} --force-conflicts --server-side=false`)).stderr,
    /--force-conflicts only works with --server-side/,
  );
  for (const words of [['--bogus'], [], ['-f', file, 'pod']])
    assert.equal((await wherry('diff', ...words)).code, 2, words.join(' '));
});

test('diff without server-side apply shows what kubectl shows, of built-in kinds and of custom resources', async () => {
  await served.defineThings();
  const thing = (numbers: number[], more: object) => ({
    ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'compared' } },
    spec: { numbers, ...more },
  });
  const first = served.file(
    'first.json',
    list(
      deployment('compared', { one: 'app:1', two: 'app:1' }, { gone: '1', stays: '1' }),
      thing([1], { gone: 1 }),
    ),
  );
  assert.equal((await kubectl('apply', '-f', first)).code, 0);
  // What others have added since is none of the file's.
  const theirs = { metadata: { annotations: { theirs: '1' } }, spec: { replicas: 3 } };
  await served.client.patch('Deployment/compared', theirs);
  const second = served.file(
    'second.json',
    list(deployment('compared', { three: 'app:1', one: 'app:2' }, { stays: '2' }), thing([2], { added: 1 })),
  );
  const ours = await wherry('diff', '--server-side=false', '-f', second);
  const kubectls = await kubectl('diff', '-f', second);
  assert.deepEqual([ours.code, ours.stderr, kubectls.code], [1, '', 1], kubectls.stderr);
  // kubectl's lists stand further left.
  const bare = (text: string) =>
    without(changedLines(text), /generation:/).map((line) =>
      line.replace(/^(.)\s+/, '$1').replaceAll('"', ''),
    );
  assert.deepEqual(bare(ours.stdout).sort(), bare(kubectls.stdout).sort());
  assert.ok(bare(ours.stdout).includes('-gone: 1'), ours.stdout);
});

const main = new URL('../../src/main.ts', import.meta.url).pathname;
const wherry = (...words: string[]) => ended(process.execPath, main, ...words, ...cluster());
const kubectl = (...words: string[]) => ended('kubectl', ...words, ...cluster());
const cluster = () => ['--kubeconfig', served.server.kubeconfig];

function ended(program: string, ...words: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; stdout: string; stderr: string }>();
  execFile(program, words, (error: ExecFileException | null, stdout, stderr) =>
    resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  return promise;
}
