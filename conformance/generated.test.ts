/** Generated files are what their generators make of the facts that they name. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';

const scripts = globSync('packages/*/scripts/generate.ts').sort();

describe('generated files', () => {
  it('have a generator each', () => {
    const folders = globSync('packages/*/src/generated').sort();
    assert.deepEqual(
      scripts.map((script) => join(dirname(script), '../src/generated')),
      folders,
    );
  });

  for (const script of scripts) {
    it(`are what ${script} makes, and say so`, () => {
      const committed = join(dirname(script), '../src/generated');
      const made = mkdtempSync(join(tmpdir(), 'generated-'));
      try {
        execFileSync(process.execPath, [script, '--into', made]);
        assert.deepEqual(readdirSync(made).sort(), readdirSync(committed).sort());
        for (const name of readdirSync(made)) {
          const text = readFileSync(join(committed, name), 'utf8');
          assert.ok(
            text === readFileSync(join(made, name), 'utf8'),
            `${committed}/${name} is not what its facts give; run: node ${script}`,
          );
          assert.match(text, /^\/\/ Generated from the facts of .* make it again: node packages\/.*\n/);
        }
      } finally {
        rmSync(made, { recursive: true });
      }
    });
  }
});
