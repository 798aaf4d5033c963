import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Served } from './served.ts';

let served: Served;
let folder: string;

before(async () => {
  served = await Served.start();
  folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
  mkdirSync(join(folder, 'base'));
  mkdirSync(join(folder, 'over'));
  writeFileSync(
    join(folder, 'base/kustomization.yaml'),
    'resources: [map.yaml]\nconfigMapGenerator: [{name: made, literals: [a=b]}]\n',
  );
  writeFileSync(
    join(folder, 'base/map.yaml'),
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: "1"}\n',
  );
  writeFileSync(join(folder, 'over/kustomization.yaml'), 'bases: [../base]\nnamePrefix: k-\n');
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await served?.close();
});

const map = 'apiVersion: v1\ndata:\n  a: "1"\nkind: ConfigMap\nmetadata:\n  name: k-map\n';
const made = 'apiVersion: v1\ndata:\n  a: b\nkind: ConfigMap\nmetadata:\n  name: k-made-4h2mbtbbt6\n';

test('kustomize prints what a kustomization makes, and what is deprecated in it on standard error', async () => {
  const { code, stdout, stderr } = await served.run(`kustomize ${folder}/over`);
  assert.deepEqual([code, stdout], [0, `${made}---\n${map}`]);
  assert.match(stderr, /^# Warning: 'bases' is deprecated\. Please use 'resources' instead\./);
});

test('kustomize writes a file, or one for each object into a folder', async () => {
  const [file, each] = [join(folder, 'all.yaml'), join(folder, 'each')];
  mkdirSync(each);
  await served.run(`kustomize ${folder}/over -o ${file}`);
  await served.run(`kustomize ${folder}/over -o ${each} --enable-managedby-label`);
  assert.equal(readFileSync(file, 'utf8'), `${made}---\n${map}`);
  assert.deepEqual(readdirSync(each).sort(), [
    'v1_configmap_k-made-4h2mbtbbt6.yaml',
    'v1_configmap_k-map.yaml',
  ]);
  assert.match(readFileSync(join(each, 'v1_configmap_k-map.yaml'), 'utf8'), /managed-by: kustomize-v5\.8\.1/);
});

test('-k stands for the objects of a kustomization: diff, apply, get, replace, label, delete', async () => {
  const over = `-k ${folder}/over`;
  const says = async (line: string, said: RegExp, code = 0) => {
    const ended = await served.run(line);
    assert.match(ended.stdout, said, `${line}: ${ended.stderr}`);
    assert.equal(ended.code, code, ended.stderr);
  };
  await says(`diff ${over}`, /^/, 1);
  await says(`apply ${over}`, /configmap\/k-made-4h2mbtbbt6 .*\nconfigmap\/k-map /);
  await says(`get ${over} -o name`, /^configmap\/k-made-4h2mbtbbt6\nconfigmap\/k-map\n$/);
  await says(`replace ${over}`, /configmap\/k-map replaced/);
  await says(`label ${over} a=b`, /configmap\/k-map labeled/);
  await says(`delete ${over}`, /"k-made-4h2mbtbbt6" deleted.*\n.*"k-map" deleted/);
  await says(`create ${over}`, /configmap\/k-map created/);
});
