import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeAddress, encodeAddress, splitPrefix } from './ip-address.ts';

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
