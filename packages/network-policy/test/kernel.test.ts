import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../linux/test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');

const lines = {
  ip: [
    '10.0.0.2 : goto pods/ingress/#',
    '10.0.0.2 . tcp . 8080',
    '{ 10.0.0.0/16, 10.2.0.0-10.255.255.255 }',
    '{ 0.0.0.0-9.255.255.255, 11.0.0.0-255.255.255.255 }',
    'tcp dport 80-90 accept',
    'ip daddr . meta l4proto . th dport @port/tcp/http accept',
    'meta l4proto sctp accept',
    'ip saddr @block/# jump ports/#',
    'ip daddr @select/# udp dport 53 accept',
    'ip daddr . meta l4proto . th dport @cluster-dns udp dport 53 accept',
  ],
  ip6: [
    'fd00::2 : goto pods/ingress/#',
    'fd00::2 . tcp . 8080',
    '{ fd00:1::/48,',
    'fd00:1:2::-fd00:1:ffff:ffff:ffff:ffff:ffff:ffff }',
    '{ ::-fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,',
    'fe00::/7 }',
    'ip6 daddr . meta l4proto . th dport @port/tcp/http accept',
    'ip6 saddr @block/# jump ports/#',
    'ip6 daddr @select/# udp dport 53 accept',
  ],
};

test('the kernel takes the rules of both families, nft shows them, a later process finds them, and nothing is left of what goes', () => {
  const script = new URL('apply-policies.ts', import.meta.url).pathname;
  const output = execFileSync('unshare', ['--net', process.execPath, script], { encoding: 'utf8' });
  const families = JSON.parse(output);
  for (const [family, wanted] of Object.entries(lines)) {
    const { listed, afterRestart, rest } = families[family];
    const shown: string = listed.replaceAll(/[0-9a-f]{32}/g, '#');
    for (const line of wanted) assert.ok(shown.includes(line), `${line} is not in ${shown}`);
    assert.equal(afterRestart, true);
    assert.deepEqual(rest, [[], [], []]);
  }
});
