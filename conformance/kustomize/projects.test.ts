/** Kustomizations that known projects ship in their Go modules, beside kustomize: every folder that holds one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { builtByKustomize, builtByUs } from './judge.ts';

const modules = [
  'sigs.k8s.io/kueue@v0.17.0',
  'sigs.k8s.io/cluster-api@v1.14.2',
  'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0',
  'sigs.k8s.io/kwok@v0.8.0',
  'sigs.k8s.io/gateway-api@v1.2.1',
  'sigs.k8s.io/kustomize@v2.0.3+incompatible',
  'github.com/kedacore/keda/v2@v2.21.0',
  'github.com/kubeflow/training-operator@v1.8.1',
  'github.com/open-policy-agent/gatekeeper/v3@v3.17.0',
];

/** What is on other machines we refuse, and kustomize does not reach here. */
suite('kustomizations of projects are built as by kustomize', () => {
  for (const module of modules) {
    test(module, async () => {
      const folders = foldersOf(downloaded(module));
      assert.ok(folders.length > 0);
      const theirs = await builtByKustomize(folders);
      assert.equal(theirs.length, folders.length);
      for (const [index, folder] of folders.entries()) {
        const ours = builtByUs(folder);
        const wanted = theirs[index];
        const said = `${folder}: ${wanted?.error ?? ours.error}`;
        assert.equal(ours.error === undefined, wanted?.error === undefined, said);
        assert.ok(ours.yaml === wanted?.yaml, folder);
      }
    });
  }
});

function downloaded(module: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'module-'));
  try {
    writeFileSync(join(folder, 'go.mod'), 'module none\n');
    const told = execFileSync('go', ['mod', 'download', '-json', module], { cwd: folder, encoding: 'utf8' });
    return (JSON.parse(told) as { Dir: string }).Dir;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const foldersOf = (root: string): string[] => [
  ...new Set(
    globSync('**/{kustomization.yaml,kustomization.yml,Kustomization}', { cwd: root }).map((file) =>
      join(root, dirname(file)),
    ),
  ),
];
