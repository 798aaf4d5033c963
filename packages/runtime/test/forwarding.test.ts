import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../linux/test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');
needProgram('/bin/busybox', 'busybox-static');

test('pods are forwarded where the machine drops all by policy, behind what its own rules say, and nothing of that is left', () => {
  const script = new URL('forwarding.ts', import.meta.url).pathname;
  const options = { encoding: 'utf8', timeout: 30_000 } as const;
  const output = execFileSync('unshare', ['--net', '--mount', process.execPath, script], options);
  const { first, without, rules, rest } = JSON.parse(output);
  assert.deepEqual(first, [true, true]);
  assert.deepEqual(without, [false, false]);
  for (const text of rules)
    assert.equal(text.match(/"pods" accept comment "wherry-pods"/g)?.length, 2, 'each end once');
  assert.match(rules[0], /dport 7 drop\n.*iifname.*\n.*oifname/);
  for (const text of rest) assert.doesNotMatch(text, /wherry/);
});
