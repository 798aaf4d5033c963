import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockListOf, decodeAddress, encodeAddress, splitPrefix } from './ip-address.ts';

test('addresses survive the way to bytes and back, in their short form', () => {
  const cases: [string, string][] = [
    ['10.1.2.3', '10.1.2.3'],
    ['::', '::'],
    ['::1', '::1'],
    ['fe80::', 'fe80::'],
    ['fd00:0:0:1:0:0:0:2', 'fd00:0:0:1::2'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ];
  for (const [text, short] of cases) assert.equal(decodeAddress(encodeAddress(text)), short);
});

test('what is no address or no prefix is refused', () => {
  assert.throws(() => encodeAddress('10.1.2'), TypeError);
  assert.throws(() => splitPrefix('10.1.2.3/33'), RangeError);
  assert.deepEqual(splitPrefix('10.1.2.3'), { address: '10.1.2.3', prefixLength: 32 });
  assert.deepEqual(splitPrefix('::/0'), { address: '::', prefixLength: 0 });
});

test('addresses are looked up in ranges of both families; what is no range is refused', () => {
  const ranges = blockListOf(['10.96.0.0/16', 'fd00::/8']);
  assert.equal(ranges.check('10.96.255.1', 'ipv4'), true);
  assert.equal(ranges.check('10.97.0.1', 'ipv4'), false);
  assert.equal(ranges.check('fd12::1', 'ipv6'), true);
  assert.throws(() => blockListOf(['10.96.0.0/33']), RangeError);
});
