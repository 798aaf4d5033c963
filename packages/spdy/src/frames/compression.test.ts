import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync, constants as zlib } from 'node:zlib';
import { defaultLimits } from '../limits.ts';
import { HeaderDeflater, HeaderInflater } from './compression.ts';
import { headerDictionary } from './dictionary.ts';
import { encodeHeaderBlock } from './header-block.ts';

const nothing = encodeHeaderBlock({}, defaultLimits);
const headers = encodeHeaderBlock({ streamtype: 'data', port: '8080' }, defaultLimits);

for (const count of [0, 1, 3, 1500]) {
  test(`${count} blocks of no headers in front of others unpack, by our reader and by zlib`, () => {
    const deflater = new HeaderDeflater();
    const plain = [...Array.from({ length: count }, () => nothing), headers, nothing, headers];
    const packed = plain.map((block) => Buffer.from(deflater.deflate(block)));
    const inflater = new HeaderInflater(defaultLimits.headerBlockBytesMax);
    for (const [index, block] of packed.entries()) {
      assert.deepEqual(Buffer.from(inflater.inflate(block)), plain[index]);
    }
    const whole = inflateSync(Buffer.concat(packed), {
      dictionary: headerDictionary,
      finishFlush: zlib.Z_SYNC_FLUSH,
    });
    assert.deepEqual(whole, Buffer.concat(plain));
  });
}
