/** Verbs that create and change objects, and the real kubectl. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ConfigMap } from '@wherry/kubeapi';
import { BesideKubectl } from './beside-kubectl.ts';

let both: BesideKubectl;

const configMap = (name: string, labels: object = {}) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { key: 'a' } },
});

const list = (...items: object[]) => ({ apiVersion: 'v1', kind: 'List', items });

before(async () => {
  both = await BesideKubectl.start([]);
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
  const file = both.file('sent.json', configMap('sent'));
  const { code } = await both.wherry.run(`create -f ${file} --raw /api/v1/namespaces/default/configmaps`);
  assert.equal(code, 0);
  assert.equal((await both.wherry.client.get<ConfigMap>('ConfigMap/sent')).data?.['key'], 'a');
});
