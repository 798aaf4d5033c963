import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { closingLines, type FileOutcome, type Round, runWithSecondChance, sum } from './rounds.ts';

const round: Round = {
  title: 'some',
  files: ['a.test.ts', 'b.test.ts'],
  concurrency: 2,
  fileTimeoutMs: 1000,
};

const outcome = (passed: number, failing: [file: string, name: string][] = []): FileOutcome => ({
  passed,
  skipped: 0,
  todo: 0,
  failures: failing.map(([file, name]) => ({ file, name, message: 'no' })),
  durationMs: 1,
});

/** Gives the runs' results in turn, and notes what was asked for. */
function scripted(results: Map<string, FileOutcome>[]) {
  const asked: Round[] = [];
  const runFiles = async (wanted: Round) => {
    asked.push(wanted);
    return results[asked.length - 1] ?? new Map<string, FileOutcome>();
  };
  return { asked, runFiles };
}

test('a test that passes only at the second go is named as flaky, and passes are counted once', async () => {
  const { asked, runFiles } = scripted([
    new Map([
      ['a.test.ts', outcome(3)],
      ['b.test.ts', outcome(4, [['b.test.ts', 'is quick']])],
    ]),
    new Map([['b.test.ts', outcome(5)]]),
  ]);
  const total = sum([await runWithSecondChance(round, runFiles)]);
  assert.deepEqual(asked[1]?.files, ['b.test.ts']);
  assert.equal(asked[1]?.concurrency, 1);
  assert.equal(total.passed, 8);
  assert.deepEqual(closingLines(total).slice(-2), [
    '1 flaky: b.test.ts › is quick',
    '8 passed, 0 failed, 0 skipped',
  ]);
});

test('a test that fails twice has failed, and is not called flaky', async () => {
  const failing = new Map([['b.test.ts', outcome(4, [['b.test.ts', 'is quick']])]]);
  const { runFiles } = scripted([new Map([['a.test.ts', outcome(3)], ...failing]), failing]);
  const total = sum([await runWithSecondChance(round, runFiles)]);
  assert.deepEqual(closingLines(total).slice(-2), ['0 flaky', '7 passed, 1 failed, 0 skipped']);
});

test('what is run once more can fail elsewhere: both are told', async () => {
  const { runFiles } = scripted([
    new Map([['b.test.ts', outcome(4, [['b.test.ts', 'is quick']])]]),
    new Map([['b.test.ts', outcome(4, [['b.test.ts', 'is right']])]]),
  ]);
  const total = sum([await runWithSecondChance(round, runFiles)]);
  assert.deepEqual(closingLines(total).slice(-2), [
    '1 flaky: b.test.ts › is quick',
    '4 passed, 1 failed, 0 skipped',
  ]);
});

test('a file that goes on after its tests is ended, and has failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-rounds-'));
  try {
    const file = join(folder, 'hangs.test.mjs');
    writeFileSync(
      file,
      "import { test } from 'node:test'; test('passes', () => setInterval(() => {}, 1000));",
    );
    const program = join(folder, 'program.mjs');
    const script = `
      import { conclude, runWithSecondChance, sum } from '${import.meta.resolve('./rounds.ts')}';
      conclude(sum([await runWithSecondChance(${JSON.stringify({ ...round, files: [file] })})]));
    `;
    writeFileSync(program, script);
    // The runner runs nothing inside of a test.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const ran = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stdout, /^failed: .*hangs\.test\.mjs: The operation was aborted due to timeout$/m);
    assert.match(ran.stdout, /^1 passed, 1 failed, 0 skipped$/m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
