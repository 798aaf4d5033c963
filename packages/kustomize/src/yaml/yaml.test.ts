import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readYaml } from './read.ts';
import { toJson } from './to-json.ts';
import { writeNode } from './write.ts';

const rewritten = (text: string) =>
  readYaml(text)
    .map((node) => writeNode(node))
    .join('---\n');

describe('YAML of kustomizations', () => {
  it('is written with sorted keys, and lists as far left as their key', () => {
    const text = 'b: [1, {y: 2, x: [z]}, []]\na: {}\nk10: x\nk9: y\n';
    assert.equal(rewritten(text), 'a: {}\nb:\n- 1\n- x:\n  - z\n  "y": 2\n- []\nk9: "y"\nk10: x\n');
  });

  it('quotes what would be read as something else', () => {
    const text = 'a: "1"\nb: "yes"\nc: ": x"\nd: "12:30"\ne: "x"\nf: "a\\tb"\n';
    assert.equal(rewritten(text), 'a: "1"\nb: "yes"\nc: \': x\'\nd: "12:30"\ne: x\nf: "a\\tb"\n');
  });

  it('keeps whole numbers of any size, and reads octal ones', () => {
    assert.equal(
      rewritten('[9007199254740993, 0644, 1_000, 1.50]'),
      '- 9007199254740993\n- 420\n- 1000\n- 1.5\n',
    );
  });

  it('folds long lines behind 80 columns', () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ');
    const lines = rewritten(`a: ${words}`).trimEnd().split('\n');
    assert.ok(lines.length > 1 && lines.slice(0, -1).every((line) => line.length > 80));
  });

  it('has anchors and merged keys resolved, of which own keys win', () => {
    const [node] = readYaml('x: &x {p: 1, q: 2}\ny: {<<: *x, q: 3}\n');
    assert.deepEqual(node && toJson(node), { x: { p: 1, q: 2 }, y: { p: 1, q: 3 } });
  });

  it('is refused when its aliases explode, or name what they stand in', () => {
    const level = (at: number) =>
      `a${at}: &a${at} [${Array(9)
        .fill(`*a${at - 1}`)
        .join(', ')}]\n`;
    const bomb = `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, at) => level(at + 1)).join('')}`;
    assert.throws(() => readYaml(bomb), /excessive aliasing/);
    assert.throws(() => readYaml('a: &a [*a]'), /contains itself|Unresolved alias/);
  });
});
