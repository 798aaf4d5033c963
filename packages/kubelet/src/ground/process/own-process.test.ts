import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

/** What a process of its own is held to after it has settled with such fields, and what it said. */
function settled(fields: object): { limits: string; said: string[] } {
  const script = `
    import { readFileSync } from 'node:fs';
    import { settleProcess } from ${JSON.stringify(import.meta.resolve('./own-process.ts'))};
    const said = [];
    const logger = { warn: (message) => said.push(message) };
    await settleProcess(${JSON.stringify({ oomScoreAdj: 500, ...fields })}, logger);
    console.log(JSON.stringify({ limits: readFileSync('/proc/self/limits', 'utf8'), said }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as { limits: string; said: string[] };
}

test('the process may have as many files open as maxOpenFiles says, softly and hard', () => {
  const { limits, said } = settled({ maxOpenFiles: 1_234 });
  assert.match(limits, /^Max open files +1234 +1234 /m);
  assert.deepEqual(said, []);
});

test('more open files than the kernel gives anybody are said, and leave the process as it is', () => {
  const { limits, said } = settled({ maxOpenFiles: 2 ** 40 });
  assert.doesNotMatch(limits, /^Max open files +1099511627776/m);
  assert.deepEqual(said, ['maxOpenFiles could not be applied to this process']);
});
