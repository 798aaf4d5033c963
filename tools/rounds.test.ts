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

/** Runs a round of files with these contents in a process of its own: the runner runs nothing inside of a test. */
function runFiles(contents: Record<string, string>, options: Partial<Round> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-rounds-'));
  try {
    const files = Object.entries(contents).map(([name, content]) => {
      const file = join(folder, name);
      writeFileSync(file, `import { before, test } from 'node:test'; ${content}`);
      return file;
    });
    const program = join(folder, 'program.mjs');
    const script = `
      import { conclude, runWithSecondChance, sum } from '${import.meta.resolve('./rounds.ts')}';
      conclude(sum([await runWithSecondChance(${JSON.stringify({ ...round, ...options, files })})]));
    `;
    writeFileSync(program, script);
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    return spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a file that goes on after its tests is ended, and has failed', () => {
  const ran = runFiles({ 'hangs.test.mjs': "test('passes', () => setInterval(() => {}, 1000));" });
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stdout, /^failed: .*hangs\.test\.mjs: The operation was aborted due to timeout$/m);
  assert.match(ran.stdout, /^1 passed, 1 failed, 0 skipped$/m);
});

test('files that share a process keep their hooks to themselves, and fail by themselves', () => {
  const ran = runFiles(
    {
      'first.test.mjs':
        "let at = 0; before(() => { at = process.pid; }); test('a', () => { if (at !== process.pid) throw 1; });",
      'second.test.mjs': "test('b', () => { throw new Error('wrong'); }); test('c', () => {});",
      'third.test.mjs': "test('d', () => {}); test('e', (t) => t.skip());",
    },
    { filesPerProcess: 3 },
  );
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stdout, /^== some: 3 files in 1 processes, 2 at once$/m);
  assert.match(ran.stdout, /^== some, failed files once more: 1 files, 1 at once$/m);
  assert.match(ran.stdout, /^failed: \S*second\.test\.mjs: b: wrong$/m);
  assert.match(ran.stdout, /^3 passed, 1 failed, 1 skipped$/m);
});

test('a file that takes its process down fails, and those behind it are run once more', () => {
  const ran = runFiles(
    { 'ends.test.mjs': "test('a', () => process.exit(3));", 'other.test.mjs': "test('b', () => {});" },
    { filesPerProcess: 2 },
  );
  assert.equal(ran.status, 1, ran.stderr);
  assert.match(ran.stdout, /^failed: \S*ends\.test\.mjs/m);
  assert.match(ran.stdout, /^flaky: .*other\.test\.mjs/m);
  assert.match(ran.stdout, /^1 passed, 1 failed, 0 skipped$/m);
});
