/** Kustomizations beside kustomize 5.8, as kubectl 1.36 embeds it: what comes of each, byte by byte, and what is refused. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { buildKustomization, KustomizeError } from '../packages/kustomize/src/index.ts';
import { basics } from './kustomize/cases/basics.ts';
import type { Case } from './kustomize/cases/case.ts';
import { generators } from './kustomize/cases/generators.ts';
import { patches } from './kustomize/cases/patches.ts';
import { texts } from './kustomize/cases/texts.ts';
import { buildGoPeer } from './peers/go-peer.ts';

/** What comes of a kustomization; that it was refused, when it was. */
interface Outcome {
  yaml: string;
  error?: string;
}

const cases: readonly Case[] = [...basics, ...texts, ...patches, ...generators];

suite('kustomizations are built as by kustomize', () => {
  let folder: string;
  let theirs: Outcome[];
  const folderOf = (index: number) => join(folder, String(index), cases[index]?.folder ?? '.');
  before(async () => {
    const judge = await buildGoPeer('kustomize');
    folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
    for (const [index, { files }] of cases.entries()) {
      for (const [name, content] of Object.entries(files)) {
        const path = join(folder, String(index), name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
    const input = cases.map((_case, index) => `${folderOf(index)}\n`).join('');
    const { stdout } = spawnSync(judge, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    theirs = stdout
      .trimEnd()
      .split('\n')
      .map((line): Outcome => JSON.parse(line));
    assert.equal(theirs.length, cases.length);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [index, { name }] of cases.entries()) {
    test(name, () => {
      const ours = built(folderOf(index));
      const wanted = theirs[index];
      assert.equal(ours.error === undefined, wanted?.error === undefined, wanted?.error ?? ours.error);
      assert.equal(ours.yaml, wanted?.yaml);
    });
  }

  test('most of what is compared is built, and some of it refused', () => {
    const refused = theirs.filter(({ error }) => error !== undefined);
    assert.ok(
      refused.length >= 30 && refused.length < cases.length / 3,
      `${refused.length} of ${cases.length}`,
    );
  });
});

function built(folder: string): Outcome {
  try {
    return { yaml: buildKustomization(folder).yaml };
  } catch (error) {
    if (!(error instanceof KustomizeError)) throw error;
    return { yaml: '', error: error.message };
  }
}
