import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { memoryFiles } from '../files/file-tree.ts';
import { buildKustomization } from './build.ts';

const configMap = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${value}}\n`;

const build = (files: Record<string, string>, folder = '/app') =>
  buildKustomization(folder, { files: memoryFiles(files) });

describe('a kustomization', () => {
  it('of generated ConfigMaps has names that follow their content', () => {
    const files = (value: string) => ({
      '/app/kustomization.yaml': `resources: [pod.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=${value}]\n`,
      '/app/pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, envFrom: [{configMapRef: {name: settings}}]}]}\n',
    });
    const [one, other] = [build(files('1')).yaml, build(files('2')).yaml];
    const [, hash] = /name: settings-(\w{10})\n/.exec(one) ?? [];
    assert.equal(one.split(`settings-${hash}`).length, 3);
    assert.ok(!other.includes(`settings-${hash}`));
  });

  it('reads nothing outside of its folder, not by a link either', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
    try {
      mkdirSync(join(folder, 'app'));
      writeFileSync(join(folder, 'secret.yaml'), configMap('secret', 'x'));
      symlinkSync('../secret.yaml', join(folder, 'app/link.yaml'));
      for (const path of ['../secret.yaml', 'link.yaml', join(folder, 'secret.yaml')]) {
        writeFileSync(
          join(folder, 'app/kustomization.yaml'),
          `configMapGenerator: [{name: a, files: ["${path}"]}]\n`,
        );
        assert.throws(
          () => buildKustomization(join(folder, 'app')),
          /security; file '.*' is not in or below/,
        );
        assert.ok(
          buildKustomization(join(folder, 'app'), { mayLeaveRoot: true }).yaml.includes('kind: ConfigMap'),
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('stands on no kustomization that stands on it', () => {
    const files = {
      '/app/kustomization.yaml': 'resources: [../other]\n',
      '/other/kustomization.yaml': 'resources: [../app]\n',
    };
    assert.throws(() => build(files), /cycle detected: candidate root '\/app' contains visited root '\/app'/);
  });

  it('fetches nothing, and says what to do instead', () => {
    for (const url of [
      'https://example.com/x.yaml',
      'github.com/a/b?ref=c',
      'git@example.com:a/b',
      'ssh://a/b',
    ]) {
      const files = { '/app/kustomization.yaml': `resources: ["${url}"]\n` };
      assert.throws(() => build(files), /is on another machine.*clone or download it/s);
    }
  });

  it('says which of its fields are unknown, and which are deprecated', () => {
    assert.throws(() => build({ '/app/kustomization.yaml': 'resource: [a]\n' }), /unknown field "resource"/);
    const warned: string[] = [];
    const files = memoryFiles({
      '/app/kustomization.yaml': 'bases: [../base]\n',
      '/base/kustomization.yaml': 'resources: [a.yaml]\n',
      '/base/a.yaml': configMap('a', 'b'),
    });
    buildKustomization('/app', { files, warn: (line) => warned.push(line) });
    assert.deepEqual(warned, [
      "# Warning: 'bases' is deprecated. Please use 'resources' instead. Run 'kustomize edit fix' to update your Kustomization automatically.",
    ]);
  });
});
