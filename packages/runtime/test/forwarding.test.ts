import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../linux/test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');
needProgram('/bin/busybox', 'busybox-static');

const script = new URL('forwarding.ts', import.meta.url).pathname;
const options = { encoding: 'utf8', timeout: 30_000 } as const;
/** Hides the lists of names that libc's getprotobyname(3) and getservbyname(3) read. */
const withoutNames =
  'for file in /etc/protocols /etc/services; do [ ! -e $file ] || mount --bind /dev/null $file; done; exec "$@"';

test('pods are forwarded where the machine drops all by policy, behind what its own rules say, and nothing of that is left', () => {
  const output = execFileSync('unshare', ['--net', '--mount', process.execPath, script], options);
  const { first, without, rules, rest } = JSON.parse(output);
  assert.deepEqual(first, [true, true]);
  assert.deepEqual(without, [false, false]);
  for (const text of rules)
    assert.equal(text.match(/"pods" accept comment "wherry-pods"/g)?.length, 2, 'each end once');
  assert.match(rules[0], /dport 7 drop\n.*iifname.*\n.*oifname/);
  for (const text of rest) assert.doesNotMatch(text, /wherry/);
});

test('pods are connected where the machine has no /etc/protocols, as in slim images', () => {
  const words = ['--net', '--mount', 'sh', '-c', withoutNames, 'sh', process.execPath, script];
  const { first } = JSON.parse(execFileSync('unshare', words, options));
  assert.deepEqual(first, [true, true]);
});
