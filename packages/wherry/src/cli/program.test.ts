import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parseDuration } from './duration.ts';
import { collectSwitches, parsePort } from './options.ts';

const main = new URL('../main.ts', import.meta.url).pathname;

function wherry(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('durations and ports are read as Go writes them, and refused when they are none', () => {
  assert.deepEqual(['0', '500ms', '1m', '1h2m3.5s'].map(parseDuration), [0, 500, 60_000, 3_723_500]);
  assert.throws(() => parseDuration('soon'), /expected a duration/);
  assert.deepEqual(['0', '65535'].map(parsePort), [0, 65_535]);
  assert.throws(() => parsePort('65536'), /from 0 to 65535/);
});

test('the switches of --runtime-config add up, and what is no switch is refused', () => {
  const first = collectSwitches('apps/v1,batch/v1=false');
  assert.deepEqual(collectSwitches('api/all=1', first), {
    'apps/v1': true,
    'batch/v1': false,
    'api/all': true,
  });
  assert.throws(() => collectSwitches('apps/v1=maybe'), /"apps\/v1=maybe" is no NAME=true/);
});

test('a wrong flag or command ends with 1 and says so', () => {
  for (const words of [['up', '--bogus'], ['bogus'], ['up', '--api-port', 'x']]) {
    const { status, stderr } = wherry(...words);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^error: /);
  }
});

test('exec without -- is refused in the words of kubectl', () => {
  const { status, stderr } = wherry('exec', 'pod', 'ls');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /exec \[POD\] \[COMMAND\] is not supported anymore\. Use exec \[POD\] -- \[COMMAND\] instead/,
  );
});

test('status of a folder without a node says how to get one', () => {
  const { status, stderr } = wherry('status', '--data-dir', '/nonexistent/wherry');
  assert.equal(status, 1);
  assert.match(stderr, /error: no node in \/nonexistent\/wherry; "wherry up" starts one/);
});
