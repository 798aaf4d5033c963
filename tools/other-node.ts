/**
 * Runs the tests of all libraries, those that say they run on Node 22, on another Node than the project's, compiled:
 *
 *   node tools/other-node.ts MAJOR
 *
 * Needs npm, which fetches that Node once.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programsOfNode } from '../e2e/packages/project.ts';
import { shareCompiledModules } from './compiled-modules.ts';
import { compileTests } from './release/compiled-tests.ts';
import { membersOn, releasedMembers } from './release/workspace.ts';

/** The oldest that libraries run on. */
const oldest = 22;
const major = Number(process.argv[2]);
if (!(major >= oldest)) throw new Error(`which Node? node tools/other-node.ts MAJOR, from ${oldest} on`);
const root = join(import.meta.dirname, '..');
// Not below node_modules: examples are TypeScript, which Node runs only outside of it.
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
shareCompiledModules();
const into = mkdtempSync(join(cache, 'other-node-'));
try {
  const all = releasedMembers(root);
  const files = compileTests(root, { tested: membersOn(all, oldest), all }, into);
  const node = join(await programsOfNode(major), 'node');
  const report = join(into, 'report.tap');
  const reporters = ['dot', 'stdout', 'tap', report].map((word, index) =>
    index % 2 === 0 ? `--test-reporter=${word}` : `--test-reporter-destination=${word}`,
  );
  // Left to itself it keeps a processor free.
  const concurrency = `--test-concurrency=${availableParallelism()}`;
  const globals = pathToFileURL(join(import.meta.dirname, 'older-node-globals.mjs')).href;
  const words = ['--import', globals, '--test', concurrency, ...reporters, ...files];
  const { status } = spawnSync(node, words, { stdio: 'inherit' });
  const text = readFileSync(report, 'utf8');
  const count = (of: string) => new RegExp(`^# ${of} (\\d+)$`, 'm').exec(text)?.[1] ?? '?';
  const failed = [...text.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name);
  for (const name of failed) console.log(`failed: ${name}`);
  console.log(`\n${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(into, { recursive: true });
}
