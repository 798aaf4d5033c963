/** The action for continuous integration: its script, with what a runner gives it. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from './command.ts';
import { wherry, wherryEntry } from './node.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-action-'));
const dataDir = join(folder, 'node');
after(async () => {
  await wherry(['down', '--data-dir', dataDir, '--purge']);
  rmSync(folder, { recursive: true, force: true });
});

const given = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test('after the action a step finds the node by KUBECONFIG, with the objects that it was given', async () => {
  const config = 'apiVersion: wherry/v1alpha1\nkind: Node\nname: action\nports: {api: 0, kubelet: 0}\n';
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: given}\ndata: {a: b}\n';
  symlinkSync(wherryEntry, join(folder, 'wherry'));
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    CONFIG: given('node.yaml', config),
    DATA_DIR: dataDir,
    IMAGES: '',
    MANIFESTS: `${given('object.yaml', object)}\n`,
    GITHUB_ENV: given('env', ''),
    GITHUB_OUTPUT: given('output', ''),
    HOME: folder,
  };
  const script = new URL('../deploy/action-up.sh', import.meta.url).pathname;
  const { code, stderr } = await run('bash', [script], { env, timeoutMs: 90_000 });
  assert.equal(code, 0, stderr);
  const kubeconfig = readFileSync(env.GITHUB_ENV, 'utf8').match(/^KUBECONFIG=(.+)$/m)?.[1];
  assert.ok(kubeconfig);
  assert.equal(readFileSync(env.GITHUB_OUTPUT, 'utf8'), `kubeconfig=${kubeconfig}\n`);
  const words = ['get', 'cm', 'given', '-o', 'jsonpath={.data.a}'];
  const { stdout } = await run('kubectl', words, { env: { KUBECONFIG: kubeconfig, HOME: folder } });
  assert.equal(stdout, 'b');
  rmSync(kubeconfig);
});
