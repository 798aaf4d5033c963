/** `edit`, in programs of sh that stand for editors. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { promisify } from 'node:util';
import type { ConfigMap, Deployment } from '@wherry/kubeapi';
import { Served } from './served.ts';

let served: Served;

before(async () => {
  served = await Served.start();
});
after(() => served?.close());

const configMap = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data: { script: '#!/bin/sh\n# a comment of its own\necho one\n' },
});
const deployment = (name: string) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          { name: 'one', image: 'app:1' },
          { name: 'two', image: 'app:1' },
        ],
      },
    },
  },
});

beforeEach(async () => {
  for (const name of ['a', 'b']) {
    await served.client.delete(`ConfigMap/${name}`).catch(() => {});
    await served.client.create(configMap(name));
  }
});

/** Names a script as the editor, whose `$1` is the file; `$pass` counts how often it was opened, from 1. */
function edits(script: string): string {
  const [path, passes] = ['editor', 'passes'].map((name) => join(served.server.folder, name)) as [
    string,
    string,
  ];
  rmSync(passes, { force: true });
  const count = `echo >> ${passes}; pass=$(wc -l < ${passes}); cp "$1" ${served.server.folder}/pass-$pass\n`;
  writeFileSync(path, `#!/bin/sh\n${count}${script}\n`, { mode: 0o755 });
  process.env['KUBE_EDITOR'] = path;
  return path;
}
/** What the editor was given. */
const pass = (number: number) => readFileSync(join(served.server.folder, `pass-${number}`), 'utf8');
const wasOpened = (number: number) => existsSync(join(served.server.folder, `pass-${number}`));
const said = (stdout: string, stderr = '') => ({ code: 0, stdout: `${stdout}\n`, stderr });
const there = (name: string) => served.client.get<ConfigMap>(`ConfigMap/${name}`);

/** The file that a message names, and what is in it; the file is removed. */
function kept(stderr: string): string {
  const [, path = ''] = /A copy of your changes has been stored to "(.+)"/.exec(stderr) ?? [];
  const text = readFileSync(path, 'utf8');
  rmSync(dirname(path), { recursive: true });
  return text;
}

test('edit opens the object as YAML behind comments, in a file that nobody else may read, and removes it', async () => {
  edits(`stat -c %a "$1" "$(dirname "$1")" > ${served.server.folder}/modes; echo "$1" > ${served.server.folder}/path
sed -i 's/echo one/echo two/' "$1"`);
  assert.deepEqual(await served.run('edit cm/a'), said('configmap/a edited'));
  const text = pass(1);
  assert.match(text, /^(?:#.*\n)+apiVersion: v1\n/);
  assert.doesNotMatch(text, /managedFields/);
  const { data, metadata } = await there('a');
  // A comment in a value is none of the file's.
  assert.equal(data?.['script'], '#!/bin/sh\n# a comment of its own\necho two\n');
  assert.equal(metadata.managedFields?.at(-1)?.manager, 'wherry-edit');
  assert.equal(readFileSync(join(served.server.folder, 'modes'), 'utf8'), '600\n700\n');
  const path = readFileSync(join(served.server.folder, 'path'), 'utf8').trim();
  assert.equal(existsSync(dirname(path)), false);
});

test('edit does nothing when nothing was changed but comments and form, or when the file was emptied', async () => {
  const { metadata } = await there('a');
  for (const [script, says] of [
    [':', 'Edit cancelled, no changes made.'],
    [`sed -i '1i # mine' "$1"; echo >> "$1"`, 'Edit cancelled, no changes made.'],
    [`: > "$1"`, 'Edit cancelled, saved file was empty.'],
    [`sed -i 's/^[^#]/# &/' "$1"`, 'Edit cancelled, saved file was empty.'],
  ] as const) {
    edits(script);
    assert.deepEqual(await served.run('edit cm a'), { code: 0, stdout: '', stderr: `${says}\n` });
  }
  assert.equal((await there('a')).metadata.resourceVersion, metadata.resourceVersion);
});

test('edit opens several objects as a list, changes those that differ, and says of the others that they do not', async () => {
  edits(`sed -i '0,/echo one/s//echo first/' "$1"`);
  assert.deepEqual(await served.run('edit cm a b'), said('configmap/a edited\nconfigmap/b skipped'));
  assert.match(pass(1), /^items:$/m);
  assert.match((await there('a')).data?.['script'] ?? '', /echo first/);
  const file = served.file('both.json', configMap('a'), configMap('b'));
  edits(`sed -i 's/echo [a-z]*/echo all/' "$1"`);
  assert.deepEqual(await served.run(`edit -f ${file}`), said('configmap/a edited\nconfigmap/b edited'));
  // A type alone means all of it.
  edits(':');
  await served.run('edit configmaps');
  assert.match(pass(1), /^ {2}metadata:\n(?: {4}.*\n)* {4}name: b$/m);
});

test('edit -o json opens JSON, without comments, and prints the result as such', async () => {
  edits(`sed -i 's/echo one/echo json/' "$1"; mv "$1" "$1.new"; mv "$1.new" "$1"`);
  const { code, stdout } = await served.run('edit cm/a -o json');
  assert.equal(code, 0);
  assert.match(JSON.parse(pass(1)).data.script, /echo one/);
  const printed = JSON.parse(stdout);
  assert.match(printed.data.script, /echo json/);
  assert.equal(printed.metadata.managedFields, undefined);
  edits(`sed -i 's/echo json/echo yaml/' "$1"`);
  const managed = await served.run('edit cm/a -o yaml --show-managed-fields --windows-line-endings');
  assert.match(managed.stdout, /^ {2}managedFields:$/m);
  assert.match(pass(1), /\r\n/);
  assert.doesNotMatch(pass(1), /[^\r]\n/);
  assert.match((await served.run('edit cm/a -o name')).stderr, /Allowed choices are json, yaml/);
});

test('edit opens what the server refuses once more, with the reasons on top', async () => {
  edits(
    `if [ $pass = 1 ]; then sed -i 's/script:/"a b":/; 1i # mine' "$1"; else sed -i 's/"\\{0,1\\}a b"\\{0,1\\}:/good:/' "$1"; fi`,
  );
  const { code, stdout, stderr } = await served.run('edit cm/a');
  assert.deepEqual([code, stdout, stderr], [0, 'configmap/a edited\n', 'error: configmaps "a" is invalid\n']);
  assert.match(pass(2), /^(?:#.*\n)*# configmaps "a" was not valid:\n# \* data\[a b\]: Invalid value/);
  assert.match(pass(2), /# a comment of its own/);
  assert.deepEqual(Object.keys((await there('a')).data ?? {}), ['good']);
});

test('edit opens what is no YAML once more, and keeps the file of who gives up', async () => {
  edits(`if [ $pass = 1 ]; then echo 'a: b: c' >> "$1"; fi`);
  const { code, stderr } = await served.run('edit cm/a');
  assert.equal(code, 1);
  assert.match(pass(2), /^# The edited file had a syntax error: edited file:\d+: /m);
  assert.match(stderr, /error: Edit cancelled, no valid changes were saved\.\n$/);
  assert.match(kept(stderr), /^a: b: c$/m);
  edits(`if [ $pass = 1 ]; then sed -i 's/^kind:.*//' "$1"; else : > "$1"; fi`);
  assert.deepEqual(await served.run('edit cm/a'), {
    ...{ code: 0, stdout: '', stderr: 'Edit cancelled, saved file was empty.\n' },
  });
  assert.match(pass(2), /syntax error: .*Object 'Kind' is missing/);
});

test('edit refuses another name, kind, namespace or uid, keeps the file, and changes none of the objects', async () => {
  for (const [change, says] of [
    ['s/^  name: a/  name: other/', 'At least one of apiVersion, kind and name was changed'],
    ['s/^kind: .*/kind: Secret/', 'At least one of apiVersion, kind and name was changed'],
    ['s/^  uid: .*/  uid: x/', 'no original object found for ConfigMap/a: its uid was changed'],
    [
      's/^  namespace: .*/  namespace: kube-system/',
      'the namespace from the provided object "kube-system" does not match the namespace "default"',
    ],
  ] as const) {
    edits(`sed -i '${change}; s/echo one/echo mine/' "$1"`);
    const { code, stdout, stderr } = await served.run('edit cm/a');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(kept(stderr), /echo mine/);
    assert.ok(stderr.endsWith(`error: ${says}\n`), stderr);
  }
  assert.match((await there('a')).data?.['script'] ?? '', /echo one/);
});

test("edit tells of another's change and of a deletion, and keeps the file", async () => {
  edits(`sed -i 's/resourceVersion: .*/resourceVersion: "1"/' "$1"`);
  const conflict = await served.run('edit cm/a');
  assert.equal(conflict.code, 1);
  assert.match(conflict.stderr, /^error: configmaps "a" could not be patched: Operation cannot be fulfilled/);
  assert.match(conflict.stderr, /^You can run "wherry replace -f .*" to try this update again\.$/m);
  kept(conflict.stderr);
  const wherry = `${process.execPath} ${new URL('../../src/main.ts', import.meta.url).pathname}`;
  edits(
    `${wherry} --kubeconfig ${served.server.kubeconfig} delete cm b >&2; sed -i 's/echo one/echo late/' "$1"`,
  );
  const gone = await served.run('edit cm/b');
  assert.equal(gone.code, 1);
  assert.match(gone.stderr, /^error: configmaps "b" could not be found on the server$/m);
  assert.match(kept(gone.stderr), /echo late/);
  assert.match((await served.run('edit cm/b')).stderr, /configmaps "b" not found/);
});

test('edit --validate says what becomes of fields that nobody knows', async () => {
  const bogus = `[ $pass = 1 ] && echo 'bogus: 1' >> "$1"; true`;
  edits(bogus);
  const strict = await served.run('edit cm/a');
  assert.equal(strict.code, 1);
  assert.match(pass(2), /strict decoding error: unknown field "bogus"$/m);
  assert.match(kept(strict.stderr), /^bogus: 1$/m);
  edits(bogus);
  assert.deepEqual(await served.run('edit --validate=ignore cm/a'), said('configmap/a edited'));
  edits(bogus);
  const warned = await served.run('edit cm/a --validate=warn');
  assert.match(warned.stderr, /^Warning: unknown field "bogus"/);
  // A word behind it is no value.
  edits(bogus);
  kept((await served.run('edit --validate cm/a')).stderr);
  assert.match(
    (await served.run('edit cm/a --validate=often')).stderr,
    /invalid - validate option "often"; must be one of: strict \(or true\), warn, ignore \(or false\)/,
  );
});

test('edit --save-config keeps what was saved for client-side apply, and --subresource edits that alone', async () => {
  edits(`sed -i 's/echo one/echo saved/' "$1"`);
  await served.run('edit cm/a --save-config');
  const { metadata } = await there('a');
  const text = metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '';
  const { data, metadata: saved } = JSON.parse(text);
  assert.match(data.script, /echo saved/);
  assert.deepEqual([saved.name, saved.managedFields], ['a', undefined]);
  await served.client.create(deployment('sub'));
  edits(`sed -i 's/^status: .*/status: {replicas: 3}/; s/replicas: 1/replicas: 2/' "$1"`);
  assert.equal((await served.run('edit deployment sub --subresource=status')).code, 0);
  const { spec, status } = await served.client.get<Deployment>('Deployment/sub');
  assert.deepEqual([spec?.replicas, status?.replicas], [1, 3]);
  edits(`sed -i 's/replicas: 1/replicas: 4/' "$1"`);
  await served.run('edit deployment sub --subresource=scale');
  assert.equal((await served.client.get<Deployment>('Deployment/sub')).spec?.replicas, 4);
});

test('edit starts the editor that the environment names, through a shell where it has quotes', async () => {
  const editor = edits(`sed -i "s/echo [a-z]*/echo $0/" "$1"`);
  const { KUBE_EDITOR, EDITOR } = process.env;
  const opened = async (environment: object) => {
    rmSync(join(served.server.folder, 'pass-1'), { force: true });
    rmSync(join(served.server.folder, 'passes'), { force: true });
    delete process.env['KUBE_EDITOR'];
    delete process.env['EDITOR'];
    Object.assign(process.env, environment);
    const ended = await served.run('edit cm/a');
    return { ...ended, isOpened: wasOpened(1) };
  };
  writeFileSync(editor, readFileSync(editor, 'utf8').replace(/sed .*/, ':'));
  assert.equal((await opened({ EDITOR: editor })).isOpened, true);
  assert.equal((await opened({ EDITOR: 'false', KUBE_EDITOR: editor })).isOpened, true);
  assert.equal((await opened({ KUBE_EDITOR: `env X=1 ${editor}` })).isOpened, true);
  assert.equal((await opened({ KUBE_EDITOR: `env 'X=1 2' ${editor}`, SHELL: '/bin/sh' })).isOpened, true);
  const failed = await opened({ KUBE_EDITOR: 'false' });
  assert.deepEqual([failed.code, failed.stderr], [1, 'error: there was a problem with the editor "false"\n']);
  const absent = await opened({ KUBE_EDITOR: '/no/editor -w' });
  assert.deepEqual([absent.code, absent.stderr], [1, 'error: unable to launch the editor "/no/editor -w"\n']);
  Object.assign(process.env, { KUBE_EDITOR }, EDITOR === undefined ? {} : { EDITOR });
});

test('edit keeps what an editor saved that then failed', async () => {
  edits(`sed -i 's/echo one/echo lost/' "$1"; exit 3`);
  const { code, stderr } = await served.run('edit cm/a');
  assert.equal(code, 1);
  assert.match(kept(stderr), /echo lost/);
  assert.match((await there('a')).data?.['script'] ?? '', /echo one/);
});

/** Edits in a terminal, where `typed` is typed once the editor says that it is ready. */
async function inTerminal(script: string, typed: string) {
  edits(script);
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const line = `trap : INT; echo "before=$(stty -g)"; ${process.execPath} ${main} --kubeconfig ${served.server.kubeconfig} edit cm/a; echo "code=$?"; echo "after=$(stty -g)"`;
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...process.env, SHELL: '/bin/sh' } });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const wasReady = said.includes('ready');
    said += chunk.toString();
    if (!wasReady && said.includes('ready')) child.stdin.write(typed);
  });
  await once(child, 'close');
  const [before, code, after] = ['before', 'code', 'after'].map(
    (name) => new RegExp(`${name}=(\\S+)`).exec(said)?.[1],
  );
  return { before, code, after, said };
}

test('edit leaves the terminal and its keys to the editor, and puts it back when the editor is killed', async () => {
  const changes = `sed -i 's/echo one/echo interrupted/' "$1"; exit 0`;
  const interrupted = await inTerminal(
    `trap '${changes.replaceAll("'", `'\\''`)}' INT; echo ready; while :; do sleep 0.1; done`,
    '\x03',
  );
  assert.equal(interrupted.code, '0', interrupted.said);
  assert.match((await there('a')).data?.['script'] ?? '', /echo interrupted/);
  const killed = await inTerminal('stty raw -echo; echo ready; kill -9 $$', '');
  assert.equal(killed.code, '1');
  assert.match(killed.said, /there was a problem with the editor/);
  assert.notEqual(killed.before, undefined);
  assert.equal(killed.after, killed.before);
});

test('edit sends the patch that kubectl sends: lists by their keys, of custom resources as wholes', async () => {
  await served.defineThings();
  const list = [
    { name: 'one', image: 'app:1' },
    { name: 'two', image: 'app:1' },
  ];
  for (const [words, script] of [
    ['edit deployment/patched', `sed -i '0,/image: app:1/s//image: app:2/; s/replicas: 1/replicas: 0/' "$1"`],
    [
      'edit deployment/patched',
      `sed -i '0,/terminationMessagePolicy/{/- image: app:1/,/terminationMessagePolicy/d}; 0,/^metadata:/s//metadata:\\n  annotations: {more: "<x>"}/; s/Seconds: 600/Seconds: 601/' "$1"`,
    ],
    ['edit thing/patched', `sed -i 's/app:1/app:2/' "$1"`],
  ] as const) {
    const printed: string[] = [];
    for (const who of ['kubectl', 'wherry']) {
      await served.client.delete('Deployment/patched').catch(() => {});
      await served.client
        .delete({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'patched' } })
        .catch(() => {});
      await served.client.create(deployment('patched'));
      await served.client.create({
        ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'patched' } },
        spec: { list },
      });
      edits(script);
      if (who === 'wherry') printed.push((await served.run(`${words} --output-patch`)).stdout);
      else {
        const line = ['--kubeconfig', served.server.kubeconfig, ...words.split(' '), '--output-patch'];
        printed.push((await promisify(execFile)('kubectl', line)).stdout);
      }
    }
    const [theirs, ours] = printed;
    assert.match(theirs ?? '', /^Patch: \{.+\}\n.+ edited\n$/);
    assert.equal(ours, theirs);
  }
});

test('apply edit-last-applied opens what client-side apply was given, and changes that alone', async () => {
  const apply = (line: string) => served.run(`apply ${line}`);
  assert.match(
    (await apply('edit-last-applied cm a')).stderr,
    /^error: no last-applied-configuration annotation/,
  );
  for (const name of ['a', 'b'])
    await apply(`--server-side=false -f ${served.file('given.json', configMap(name))}`);
  edits(`sed -i '0,/echo one/s//echo first/' "$1"`);
  assert.deepEqual(await apply('edit-last-applied cm a b'), said('configmap/a edited\nconfigmap/b skipped'));
  assert.doesNotMatch(pass(1), /uid:/);
  const { data, metadata } = await there('a');
  assert.match(data?.['script'] ?? '', /echo one/);
  const annotation = metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '';
  assert.match(JSON.parse(annotation).data.script, /echo first/);
  assert.equal(metadata.managedFields?.at(-1)?.manager, 'wherry-client-side-apply');
  edits(`sed -i 's/name: a/name: c/' "$1"`);
  const renamed = await apply('edit-last-applied cm/a');
  assert.equal(renamed.code, 1);
  assert.match(renamed.stderr, /^error: no original object found for ConfigMap\/c\n/m);
  kept(renamed.stderr);
});

test('edit --template prints what comes of the edited YAML by a template, as kubectl does, and so do its like', async () => {
  const template = '--template={{.kind}}/{{.metadata.name}}={{.data.script}}{{.data.none}}';
  const changing = (before: string, after: string) => edits(`sed -i 's/echo ${before}/echo ${after}/' "$1"`);
  const strict = `${template} --allow-missing-template-keys=false`;
  // It counts where no form is given.
  for (const line of [`edit cm/a ${template}`, `edit cm/a ${strict}`, `edit cm/a -o yaml ${template}`]) {
    changing('one', 'two');
    const theirs = await served.server.kubectl(line.split(' '));
    changing('two', 'one');
    await served.run('edit cm/a');
    changing('one', 'two');
    const ours = await served.spawn(line.split(' '), '');
    changing('two', 'one');
    await served.run('edit cm/a');
    assert.deepEqual(comparable(ours.stdout), comparable(theirs.stdout), line);
    assert.equal(ours.code, theirs.code, line);
    assert.match(pass(1), /^apiVersion: v1$/m);
  }
  const file = served.file('given.json', configMap('a'));
  await served.run(`apply --server-side=false -f ${file}`);
  changing('one', 'five');
  const last = await served.spawn(['apply', 'edit-last-applied', 'cm/a', template], '');
  assert.match(last.stdout, /^ConfigMap\/a=.*\necho five\n<no value>$/s);
  await served.client.delete('ConfigMap/a');
  changing('one', 'six');
  const created = await served.spawn(['create', '--edit', '-f', file, template], '');
  assert.match(created.stdout, /^ConfigMap\/a=.*\necho six\n<no value>$/s);
});

const comparable = (text: string) =>
  text
    .replaceAll('kubectl-edit', 'wherry-edit')
    .replaceAll(/(resourceVersion\W+)\d+/g, '$1N')
    .replaceAll(/\d\d:\d\d:\d\dZ/g, 'TIME');
