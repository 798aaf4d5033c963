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
    unassigned: 'ECONNREFUSED',
    sticky: 1,
    balanced: '1,2',
    strangers: 'timeout',
    strangersInside: '1,2',
    away: 'ECONNREFUSED timeout',
    // A flow stays with a pod that still answers while it ends.
    datagrams: '1→1→2',
    withdrawn: 'timeout',
    // All rules of the machine were flushed, and are there again.
    flushed: 1,
    // Rules of an older version lead until those of now do, which know that the first pod is about to end.
    meanwhile: '1,2',
    // They have the name of before again: a version that knows no other leaves nothing behind.
    replaced: 'services-test 2',
  };
  assert.deepEqual(JSON.parse(output), { ip: expected, ip6: expected });
});
