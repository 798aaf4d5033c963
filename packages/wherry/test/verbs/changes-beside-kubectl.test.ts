/** Verbs that create and change objects, and the real kubectl. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const configMap = (name: string, labels: Record<string, string> = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { key: 'a' } },
});

const objects = [configMap('here', { a: '1' }), configMap('there')];
const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });

const thing = {
  ...{ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't', namespace: 'x' } },
  spec: { a: 1 },
};

before(async () => {
  both = await BesideKubectl.start(objects);
});
after(() => both?.close());

async function typeAll(verb: string, lines: string): Promise<void> {
  for (const line of lines.trim().split('\n')) await both.typeLine(`${verb} ${line.trim()}`.trim());
}

/** Names a script as the editor, whose `$1` is the file. */
function edits(script: string): void {
  const path = join(both.kubectl.server.folder, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  process.env['KUBE_EDITOR'] = path;
}

test('create -f has kubectl’s answers, and makes the same objects', async () => {
  const some = both.file(
    'some.json',
    list(configMap('red', { colour: 'red' }), configMap('blue', { colour: 'blue' })),
  );
  const deeper = both.file('deeper.json', configMap('deeper'));
  const raw = both.file('raw.json', configMap('raw'));
  await typeAll(
    'create',
    `-f ${some} -l colour=green
    -f ${some} -l colour=red --dry-run=client
    -f ${some} -l colour=red --dry-run=client -o json
    -f ${some} -l colour=red --dry-run=server -o name
    -f ${some} -l colour=red
    -f ${some} --selector=a(
    -f ${some}
    -f ${some} -l colour!=red
    -f ${deeper} -n nowhere
    -f ${deeper} -o json --show-managed-fields
    -f ${raw} --raw /api/v1/namespaces/default/nowhere
    -f ${raw} --raw /x --edit
    -f ${raw} --raw /x -o json
    -f ${raw} --raw /x -l a=b
    -f ${raw} --raw /x -R
    -f ${raw} -f ${some} --raw /x
    -f http://nowhere.invalid --raw /x
    -f ${raw} extra`,
  );
  await both.compareObjects('ConfigMap');
});

test('create --edit has kubectl’s answers, and makes what is saved', async () => {
  const pair = both.file('pair.json', list(configMap('one'), configMap('two')));
  const alone = both.file('alone.json', configMap('three'));
  edits('true');
  await both.typeLine(`create -f ${pair} --edit`);
  edits(`sed -i 's/key: a/key: b/' "$1"`);
  await both.typeLine(`create -f ${pair} --edit --save-config`);
  await both.typeLine(`create -f ${pair} --edit -n kube-system`);
  edits(`sed -i 's/"key": "a"/"key": "c"/' "$1"`);
  await both.typeLine(`create -f ${alone} --edit -o json --windows-line-endings`);
  await both.compareObjects('ConfigMap');
});

test('create --raw sends a file as it is', async () => {
  const line = `create -f ${both.file('sent.json', configMap('sent'))} --raw`;
  const path = '/api/v1/namespaces/default/configmaps';
  assert.equal((await both.kubectl.server.kubectl([...line.split(' '), path])).code, 0);
  assert.equal((await both.wherry.run(line, path)).code, 0);
  await both.compareObjects('ConfigMap');
});

for (const verb of ['label', 'annotate'])
  test(`${verb} of files has kubectl’s answers, asks no server with --local, and leaves the same objects`, async () => {
    const far = both.file('far.json', configMap('far', { a: '1' }));
    const elsewhere = both.file('elsewhere.json', thing);
    const two = both.file('two.json', list(...objects));
    const isFree = verb === 'label' ? 'a=2' : 'kubernetes.io/change-cause=x';
    await typeAll(
      verb,
      `--local -f ${far} b=2
      --local -f ${far} b=2 --dry-run=client -o json
      --local -f ${far} b=2 --dry-run=server
      --local -f ${far} ${isFree}
      --local -f ${far} ${isFree} --overwrite -o json
      --local -f ${far} z-
      --local -f ${far} --list
      --local -f ${two} b=2
      --local -f ${elsewhere} b=2 -o json
      --local -f ${far}
      --local cm/here b=2
      --local b=2
      -f ${far} b=2
      -f ${two} l=2 -l a=1
      -f ${two} l=3 --all
      -f ${two} l=3 --all -l a=1
      cm/here c=2 --resource-version=1`,
    );
    const { stderr } = await both.wherry.run(`${verb} --local -f ${elsewhere} -n other b=2`);
    assert.match(stderr, /the namespace from the provided object "x" does not match the namespace "other"/);
    await both.compareObjects('ConfigMap');
  });

test('patch of files has kubectl’s answers, and asks no server with --local', async () => {
  const far = both.file('far.json', configMap('far', { a: '1' }));
  const elsewhere = both.file('elsewhere.json', thing);
  await typeAll(
    'patch',
    `--local -f ${far} -p {"data":{"key":"b"}}
    --local -f ${far} -p {"data":{"key":"b"}} -o json
    --local -f ${far} -p {"data":{"key":"a"}}
    --local -f ${far} -p {"data":{"key":"b"}} --dry-run=server
    --local -f ${far} -p {"data":{"key":null}} --type=merge -o json
    --local -f ${far} -p [{"op":"replace","path":"/data/key","value":"z"}] --type=json -o json
    --local -f ${elsewhere} -p {"spec":{"a":2}} --type=merge -o json
    --local cm/here -p {"data":{"key":"b"}}
    --local -p {"data":{"key":"b"}}
    --local -f ${far}
    -f ${far} -p {"data":{"key":"b"}}`,
  );
  for (const type of ['merge', 'strategic']) {
    const { code, stderr } = await both.wherry.run(`patch --local -f ${far} --type=${type} -p [1]`);
    assert.deepEqual([code, stderr], [1, `error: a ${type} patch must be an object\n`]);
  }
});

test('wait and set selector look into folders in folders, unless they are told not to', async () => {
  const folder = join(both.kubectl.server.folder, 'outer');
  mkdirSync(join(folder, 'inner'), { recursive: true });
  const spec = { clusterIP: 'None', selector: { app: 'x' }, ports: [{ port: 80 }] };
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'deep' }, spec };
  writeFileSync(join(folder, 'inner', 'service.json'), JSON.stringify(service));
  await both.typeLine(`create -f ${folder} -R`);
  for (const line of [
    `set selector -f ${folder} app=y`,
    `wait -f ${folder} --for=jsonpath={.spec.selector.app}=y`,
  ]) {
    await both.typeLine(line);
    const { code, stderr } = await both.wherry.run(`${line} -R=false`);
    assert.deepEqual([code, stderr], [1, `error: no objects in "${folder}"\n`]);
  }
  await both.compareObjects('Service');
});
