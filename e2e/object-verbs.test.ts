/** kubectl's first verbs in wherry's command line: kubectl says beside it what is right. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start } from './command.ts';
import { testImage } from './image.ts';
import { eventually, podOf, TestNode, wherry, wherryEntry } from './node.ts';

let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-verbs-'));
  node = await TestNode.start();
  await node.apply(podOf('one'), podOf('two'), configMap('settings', { key: 'value' }));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const configMap = (name: string, data: object) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } },
  data,
});
const ours = (...words: string[]) => wherry(words, { env: { KUBECONFIG: node.kubeconfig } });
const ages = / \d+[smh](\d+s)?(?= |$)/gm;
/** Ages go on between two commands. */
const ageless = (text: string) => text.replaceAll(ages, ' AGE');
const widthsOfAges = (text: string) =>
  text
    .match(ages)
    ?.map(({ length }) => length)
    .join();
const triesMax = 5;

/** What both print. An age that gains a digit between them moves the columns: then both are asked again. */
async function bothAnswer(words: string[]) {
  for (let tries = 1; ; tries++) {
    const [theirs, mine] = [await node.kubectl(words), await ours(...words)];
    const isAlike = widthsOfAges(theirs.stdout) === widthsOfAges(mine.stdout);
    if (isAlike || tries === triesMax) return { theirs, mine };
  }
}

async function file(name: string, ...objects: object[]): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return path;
}

test('get prints what kubectl prints', async () => {
  for (const line of [
    'get pods -A',
    'get pod/one cm/settings',
    'get services,pods -l app=one --ignore-not-found',
    'get pods -o wide --no-headers',
    'get pods --show-labels -l app=one',
    'get pods -L app -o wide',
    'get pod/one pod/two',
    'get pods one nope two',
    'get pods --field-selector metadata.name=two',
    'get cm settings -o jsonpath={.data.key}',
    'get pods -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName,NOT:.spec.nope',
    'get pods --sort-by .metadata.creationTimestamp -o name',
    'get pod nope',
    'get gadgets',
  ]) {
    const words = line.split(' ');
    const { theirs, mine } = await bothAnswer(words);
    assert.equal(ageless(mine.stdout), ageless(theirs.stdout), line);
    assert.ok(mine.stderr.startsWith(theirs.stderr.trimEnd()), `${line}: ${mine.stderr}`);
    assert.equal(mine.code, theirs.code, line);
  }
});

test('get -o json is the object, without who manages which field', async () => {
  const words = ['get', 'cm', 'settings', '-o', 'json'];
  const [theirs, mine] = [await node.kubectlOk(words), await ours(...words)];
  assert.deepEqual(JSON.parse(mine.stdout), JSON.parse(theirs));
});

test('apply creates, leaves and changes; delete waits until all is gone', async () => {
  const path = await file('two.yaml', configMap('first', { a: '1' }), configMap('second', { a: '1' }));
  const outcome = async (...words: string[]) => (await ours(...words)).stdout.trim().split('\n');
  assert.deepEqual(await outcome('apply', '-f', path), [
    'configmap/first created',
    'configmap/second created',
  ]);
  assert.deepEqual(await outcome('apply', '-f', path), [
    'configmap/first unchanged',
    'configmap/second unchanged',
  ]);
  await file('two.yaml', configMap('first', { a: '2' }), configMap('second', { a: '1' }));
  assert.deepEqual(await outcome('apply', '-f', path), [
    'configmap/first configured',
    'configmap/second unchanged',
  ]);
  assert.equal(await node.kubectlOk(['get', 'cm', 'first', '-o', 'jsonpath={.data.a}']), '2');
  assert.match((await ours('create', '-f', path)).stderr, /AlreadyExists.*two\.yaml": configmaps "first"/);
  assert.deepEqual(await outcome('delete', '-f', path), [
    'configmap "first" deleted from default namespace',
    'configmap "second" deleted from default namespace',
  ]);
  assert.match(
    (await ours('delete', 'cm', 'first')).stderr,
    /^Error from server \(NotFound\): configmaps "first"/,
  );
});

test('a pod that ends slowly is gone when delete returns', async () => {
  await node.apply(
    podOf(
      'slow',
      { command: ['sh', '-c', "trap 'sleep 1; exit' TERM; sleep 1000 & wait"] },
      { terminationGracePeriodSeconds: 10 },
    ),
  );
  assert.equal((await ours('delete', 'pod', 'slow')).stdout, 'pod "slow" deleted from default namespace\n');
  assert.match((await node.kubectl(['get', 'pod', 'slow'])).stderr, /NotFound/);
});

test('run makes a pod, joins it, and takes it away with --rm', async () => {
  const flags = `--image ${testImage} --image-pull-policy=Never --restart=Never`;
  const join = `run echo ${flags} -i --rm -q --command -- head -n1`.split(' ');
  const ran = await wherry(join, { env: { KUBECONFIG: node.kubeconfig }, stdin: 'out\n' });
  assert.equal(ran.stdout, 'out\n', ran.stderr);
  // As kubectl's, it deletes and does not wait.
  await eventually('no pod', async () => /NotFound/.test((await ours('get', 'pod', 'echo')).stderr));
  const dry = `run web ${flags} --env A=b --port 80 --dry-run=client -o json`.split(' ');
  const specOf = (text: string) => {
    const { name, image, env, ports } = JSON.parse(text).spec.containers[0];
    return { name, image, env, ports };
  };
  assert.deepEqual(specOf((await ours(...dry)).stdout), specOf(await node.kubectlOk(dry)));
});

test('run --rm takes its pod away when it is given up by Ctrl-C', async () => {
  const flags = `--image ${testImage} --image-pull-policy=Never --rm -i`.split(' ');
  const words = [
    'run',
    'endless',
    ...flags,
    '--command',
    '--',
    'sh',
    '-c',
    'trap exit TERM; while :; do echo up; sleep 0.2; done',
  ];
  const child = start(process.execPath, [wherryEntry, ...words], { env: { KUBECONFIG: node.kubeconfig } });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await eventually('its words', () => said.includes('up'));
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  assert.match(said, /pod "endless" deleted/);
  await eventually('no pod', async () => /NotFound/.test((await ours('get', 'pod', 'endless')).stderr));
});

test('run -i gives back the exit code of the process that it joined', async () => {
  const flags = `--image ${testImage} --image-pull-policy=Never --restart=Never -i -q`;
  const join = `run leaves ${flags} --command -- sh`.split(' ');
  const ran = await wherry(join, { env: { KUBECONFIG: node.kubeconfig }, stdin: 'echo said; exit 7\n' });
  assert.deepEqual([ran.stdout, ran.code], ['said\n', 7], ran.stderr);
});

for (const restart of ['Never', 'Always']) {
  test(`run -i of a command that ends before it is joined prints its output and gives back its code: ${restart}`, async () => {
    const flags = `--image ${testImage} --image-pull-policy=Never --restart=${restart} --rm -i -q`.split(' ');
    const ran = await ours('run', 'short', ...flags, '--command', '--', 'sh', '-c', 'echo said; exit 5');
    assert.deepEqual([ran.stdout, ran.code], ['said\n', 5], ran.stderr);
    await eventually('no pod', async () => /NotFound/.test((await ours('get', 'pod', 'short')).stderr));
  });
}

test('run -i of a command that is not there tells why it never ran', async () => {
  const flags = `--image ${testImage} --image-pull-policy=Never --restart=Never --rm -i -q`.split(' ');
  const ran = await ours('run', 'missing', ...flags, '--command', '--', 'no-such-program');
  assert.equal(ran.code, 128, ran.stderr);
  assert.match(ran.stderr, /"no-such-program": executable file not found.*\n.*exit code 128\n$/s);
});

test('describe has what happened, events the oldest first', async () => {
  const { stdout } = await ours('describe', 'pod', 'one');
  assert.match(stdout, /^Name: +one$/m);
  assert.match(stdout, /^Status: +Running$/m);
  assert.match(stdout, /Normal +Scheduled +.* +default-scheduler +Successfully assigned/);
  assert.match((await ours('events', '--for', 'pod/one')).stdout, /Normal +Started +Pod\/one/);
});

test('events -w shows what is there and what comes', async () => {
  const child = start(process.execPath, [wherryEntry, 'events', '-w', '--types=normal'], {
    env: { KUBECONFIG: node.kubeconfig },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await eventually('the table', () => /Started +Pod\/one/.test(said));
  const before = said;
  await node.apply(podOf('late'));
  await eventually('what comes', () => /Started +Pod\/late/.test(said));
  child.kill('SIGINT');
  assert.doesNotMatch(said.slice(before.length), /Pod\/one|LAST SEEN/);
  await node.kubectlOk(['delete', 'pod', 'late', '--now']);
});

test('a watch shows what is there and what changes, in line', async () => {
  const child = start(process.execPath, [wherryEntry, 'get', 'cm', '-w'], {
    env: { KUBECONFIG: node.kubeconfig },
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await eventually('the table', () => said.includes('settings'));
  await ours('apply', '-f', await file('later.yaml', configMap('later', { a: '1', b: '2' })));
  await eventually('the change', () => /^later +2 /m.test(said));
  child.kill('SIGINT');
  const column = said.split('\n')[0]?.indexOf('DATA') ?? -1;
  assert.match(said, new RegExp(`^later {${column - 'later'.length}}2 `, 'm'));
});

test('a folder is applied in the order of its names, and a bad file leaves what stood before it', async () => {
  const manifests = join(folder, 'manifests');
  mkdirSync(manifests);
  writeFileSync(join(manifests, 'a.yaml'), JSON.stringify(configMap('before', {})));
  writeFileSync(
    join(manifests, 'b.json'),
    JSON.stringify({ apiVersion: 'v1', kind: 'Gadget', metadata: { name: 'x' } }),
  );
  const { stdout, stderr, code } = await ours('apply', '-f', manifests);
  assert.equal(stdout, 'configmap/before created\n');
  assert.match(stderr, /^error: .*b\.json:1: no matches for kind "Gadget" in version "v1"/);
  assert.equal(code, 1);
});

test('explain tells what took how long, and what a pod that is not Ready waits for', async () => {
  const mounting = { volumeMounts: [{ name: 'settings', mountPath: '/settings' }] };
  const absent = [{ name: 'settings', configMap: { name: 'not-there' } }];
  await node.kubectlOk(['apply', '-f', '-'], {
    stdin: [podOf('unmounted', mounting, { volumes: absent }), podOf('imageless', { image: 'never:seen' })]
      .map((pod) => JSON.stringify(pod))
      .join('\n'),
  });
  const ready = await ours('explain', 'pod', 'one');
  assert.match(ready.stdout, /^pod default\/one: Running, node e2e$/m);
  for (const step of [
    '~0 s +created',
    String.raw`\d\.\d{3} s +Scheduled`,
    String.raw`\d\.\d{3} s +Started`,
    '~\\d+ s +Ready',
  ])
    assert.match(ready.stdout, new RegExp(`^${step} `, 'm'));
  assert.match(ready.stdout, /^Ready after ~\d+ s$/m);
  await eventually('its volume is missed', async () => {
    const { stdout } = await ours('explain', 'pod/unmounted');
    return /^waits for: volumes \(FailedMount\): .*"not-there" not found/m.test(stdout);
  });
  await eventually('its image is missed', async () => {
    const { stdout } = await ours('explain', 'pod', 'imageless', '-o', 'jsonpath={.waitsFor.for}');
    return stdout === 'image';
  });
  const { stdout } = await ours('explain', 'pod');
  assert.match(stdout, /^KIND: +Pod$/m);
  await node.kubectlOk(['delete', 'pod', 'unmounted', 'imageless', '--now']);
});
