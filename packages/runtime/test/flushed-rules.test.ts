import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../linux/test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');
needProgram('/bin/busybox', 'busybox-static');

const script = new URL('flushed-rules.ts', import.meta.url).pathname;

test('rules of the pod network that somebody has flushed are made again, with the host ports and cables of the pods that are there', () => {
  const words = ['--net', '--mount', process.execPath, script];
  const output = execFileSync('unshare', words, { encoding: 'utf8', timeout: 60_000 });
  const { before, after, refused, reached, cables } = JSON.parse(output);
  assert.ok(before.length > 50, before.join('\n'));
  assert.deepEqual(after, before);
  assert.equal(refused, 'refused', 'a pod that nothing guards does not start');
  assert.deepEqual(reached, [true, true]);
  assert.equal(cables, 2);
});
