/** Kustomizations of strangers, who mean no good. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { memoryFiles } from '../files/file-tree.ts';
import { buildKustomization } from './build.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-kustomize-'));
const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
const kustomization = 'kustomization.yaml';

function refused(files: Record<string, string>, message: RegExp): void {
  const held = Object.entries(files).map(([name, text]) => [`/a/${name}`, text]);
  assert.throws(() => buildKustomization('/a', { files: memoryFiles(Object.fromEntries(held)) }), {
    ...{ name: 'KustomizeError', message },
  });
}

describe('a hostile kustomization', { timeout: 60_000 }, () => {
  after(() => rmSync(folder, { recursive: true }));

  it('leads out of its folder by no link, and hangs on no pipe', () => {
    symlinkSync('/etc/hostname', join(folder, 'away'));
    symlinkSync('/etc', join(folder, 'folder-away'));
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('/dev/zero', join(folder, 'endless'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const [path, message] of [
      ['away', /security; file '.*away' is not in or below/],
      ['folder-away/hostname', /security; file/],
      ['../../etc/hostname', /security; file|no such file/],
      ['loop', /ELOOP/],
      ['pipe', /pipe is no regular file/],
      ['"nu\\0l"', /null bytes/],
      ['a'.repeat(5_000), /ENAMETOOLONG/],
    ] as const) {
      writeFileSync(join(folder, kustomization), `configMapGenerator: [{name: x, files: [${path}]}]`);
      assert.throws(() => buildKustomization(folder), { name: 'KustomizeError', message }, path);
    }
    writeFileSync(join(folder, kustomization), 'configMapGenerator: [{name: x, files: [endless]}]');
    const message = /\/dev\/zero is no regular file/;
    assert.throws(() => buildKustomization(folder, { mayLeaveRoot: true }), { message });
  });

  it('names no more others than may be, however few folders they are', () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 16; at++) {
      files[`both${at}/${kustomization}`] = `resources: [../left${at}, ../right${at}]`;
      for (const side of ['left', 'right'])
        files[`${side}${at}/${kustomization}`] = `namePrefix: ${side}\nresources: [../both${at + 1}]`;
    }
    files[`both16/${kustomization}`] = 'namePrefix: x';
    refused({ ...files, [kustomization]: 'resources: [both0]' }, /a build may have 2048 kustomizations/);
  });

  it('nests no deeper than the stack', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const patch = JSON.stringify([{ op: 'add', path: '/data', value: 'DEEP' }]).replace('"DEEP"', deep);
    const patches = `patches: [{target: {kind: ConfigMap}, patch: '${patch}'}]`;
    refused({ [kustomization]: `resources: [r.yaml]\n${patches}`, 'r.yaml': object }, /too deep or too long/);
    for (const text of ['['.repeat(20_000), '- '.repeat(20_000), '{a: '.repeat(20_000)])
      refused({ [kustomization]: `resources: ${text}` }, /invalid Kustomization: /);
  });

  it('does not grow by its replacements without end', () => {
    const source = (path: string) => `source: {kind: ConfigMap, name: a, fieldPath: ${path}}`;
    const target = (paths: string, options: string) =>
      `targets: [{select: {kind: ConfigMap}, fieldPaths: [${paths}], options: {${options}}}]`;
    const replaced = (data: string, entry: string, message: RegExp) =>
      refused(
        {
          [kustomization]: `resources: [r.yaml]\nreplacements:\n${`- {${entry}}\n`.repeat(40)}`,
          'r.yaml': `${object}data: ${data}\n`,
        },
        message,
      );
    const doubling = `${source('data.x')}, ${target('data.x', 'delimiter: "|", index: 99')}`;
    replaced(`{x: ${'y'.repeat(1_000_000)}}`, doubling, /texts of 16777216 characters/);
    const wide = `[${'0,'.repeat(40_000)}0]`;
    const growing = `${source('data')}, ${target('data.l, data.r', '')}`;
    replaced(`{l: {}, r: {}, w: ${wide}}`, growing, /may copy 1048576 values/);
  });

  it('looks at no more fields of definitions than may be', () => {
    const definition = (next: number) => {
      const parts = { kind: {}, apiVersion: {}, metadata: {} };
      const [left, right] = [{ $ref: `x.K${next}` }, { $ref: `x.K${next}` }];
      return { Schema: { properties: { ...parts, left, right } } };
    };
    const definitions = Array.from({ length: 40 }, (_, at) => [`x.K${at}`, definition(at + 1)]);
    const crds = JSON.stringify(Object.fromEntries(definitions));
    refused({ [kustomization]: 'crds: [c.json]', 'c.json': crds }, /definitions may have 65536 fields/);
  });

  it('is read in time that grows with its length', () => {
    refused(
      { [kustomization]: `configMapGenerator: [{name: x, files: ["${'/'.repeat(200_000)}x"]}]` },
      /no such/,
    );
    const fieldPaths = `["data.[${']'.repeat(100_000)}x.]"]`;
    const replacements = `[{sourceValue: x, targets: [{select: {kind: ConfigMap}, fieldPaths: ${fieldPaths}}]}]`;
    refused(
      { [kustomization]: `resources: [r.yaml]\nreplacements: ${replacements}`, 'r.yaml': object },
      /unable to find field/,
    );
    const number = `${object}data: {x: ${'9'.repeat(1_000_000)}}`;
    const held = { '/a/kustomization.yaml': 'resources: [r.yaml]', '/a/r.yaml': number };
    const [made] = buildKustomization('/a', { files: memoryFiles(held) }).objects;
    // More than a double holds is text, as in Go.
    assert.deepEqual(made?.['data'], { x: '9'.repeat(1_000_000) });
    const binary = `${object}data: {x: !!binary "%%%"}`;
    refused({ [kustomization]: 'resources: [r.yaml]', 'r.yaml': binary }, /invalid base64 data/);
  });
});
