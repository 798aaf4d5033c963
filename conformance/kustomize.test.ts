/**
 * Kustomizations beside kustomize 5.8, as kubectl 1.36 embeds it: what comes of each, byte by byte, and what is refused. Cases of
 * our own, those of kustomize's tests, and a thousand that chance makes.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { advanced } from './kustomize/cases/advanced.ts';
import { basics } from './kustomize/cases/basics.ts';
import type { Case } from './kustomize/cases/case.ts';
import { generators } from './kustomize/cases/generators.ts';
import { patches } from './kustomize/cases/patches.ts';
import { texts } from './kustomize/cases/texts.ts';
import { mergesByChance, textsByChance } from './kustomize/chance.ts';
import { builtByKustomize, builtByUs, type Outcome } from './kustomize/judge.ts';
import { krustyCases } from './kustomize/krusty.ts';

const api = execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kustomize/api'], {
  cwd: join(import.meta.dirname, 'kustomize'),
  encoding: 'utf8',
}).trim();

/** Those of kustomize's tests whose files are made in other ways than by a plain text are refused by both. */
const sets: readonly (readonly [title: string, cases: readonly Case[], built: number])[] = [
  ['of our own', [...basics, ...texts, ...patches, ...generators, ...advanced], 150],
  ['of its tests', krustyCases(api), 150],
  ['that chance makes', [...textsByChance(300), ...mergesByChance(700)], 990],
];

for (const [title, cases, least] of sets) {
  suite(`kustomizations ${title} are built as by kustomize`, () => {
    let folder: string;
    let theirs: Outcome[];
    const folderOf = (index: number) => join(folder, String(index), cases[index]?.folder ?? '.');
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kustomize-'));
      for (const [index, { files }] of cases.entries()) {
        for (const [name, content] of Object.entries(files)) {
          const path = join(folder, String(index), name);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, content);
        }
      }
      theirs = await builtByKustomize(cases.map((_case, index) => folderOf(index)));
      assert.equal(theirs.length, cases.length);
    });
    after(() => rmSync(folder, { recursive: true, force: true }));

    for (const [index, { name }] of cases.entries()) {
      test(name, () => {
        const ours = builtByUs(folderOf(index));
        const wanted = theirs[index];
        assert.equal(ours.error === undefined, wanted?.error === undefined, wanted?.error ?? ours.error);
        assert.equal(ours.yaml, wanted?.yaml);
      });
    }

    test('most of them are built', () => {
      const built = theirs.filter(({ error }) => error === undefined).length;
      assert.ok(built >= least, `${built} of ${cases.length}`);
    });
  });
}
