import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { needProgram, needRoot } from '../../linux/test/needs.ts';

needRoot();
needProgram('/usr/sbin/nft', 'nftables');

test('services of both families lead to their endpoints, and refuse where there are none', () => {
  const script = new URL('lead-services.ts', import.meta.url).pathname;
  const options = { encoding: 'utf8', timeout: 30_000 } as const;
  const output = execFileSync('unshare', ['--net', process.execPath, script], options);
  const expected = {
    address: '1,2',
    nodePort: '1,2',
    withoutEndpoints: 'ECONNREFUSED',
    unknown: 'ECONNREFUSED',
    sticky: 1,
    datagrams: '1→2',
  };
  assert.deepEqual(JSON.parse(output), { ip: expected, ip6: expected });
});
