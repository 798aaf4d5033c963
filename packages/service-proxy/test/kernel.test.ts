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

test('pods and node ports are where the rules say', () => {
  const script = new URL('lead-places.ts', import.meta.url).pathname;
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const output = execFileSync('unshare', ['--net', process.execPath, script], options);
  const refused = 'ECONNREFUSED';
  // Of the clients .2 and .9, and of .9 at an external address: the endpoint, which is elsewhere, sees them, or this machine.
  const expected = {
    byInterface: ['10.0.0.1', '10.0.0.1', '10.0.0.1'],
    byRange: ['10.0.0.2', '10.0.0.1', '10.0.0.1'],
    byNothing: ['10.0.0.2', '10.0.0.9', '10.0.0.1'],
    // Of the machine's addresses .9, .2 and loopback.
    everywhere: ['10.0.0.1', '10.0.0.1', '10.0.0.1'],
    ofOtherFamily: ['10.0.0.1', '10.0.0.1', '10.0.0.1'],
    withoutLoopback: ['10.0.0.1', '10.0.0.1', refused],
    ofRanges: [refused, '10.0.0.1', refused],
    // The node's address changes in between.
    primary: ['10.0.0.1', refused, refused, refused, '10.0.0.1', refused],
  };
  assert.deepEqual(JSON.parse(output), expected);
});
