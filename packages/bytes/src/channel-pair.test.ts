import assert from 'node:assert/strict';
import { it } from 'node:test';
import { channelPair } from './channel-pair.ts';
import { describeByteChannel } from './channel-suite.ts';

describeByteChannel('channelPair', () => {
  const [left, right] = channelPair();
  return { left, right, cleanup: () => left.abort(new Error('test over')) };
});

it('counts bytes until the other end has taken them', async () => {
  const [left, right] = channelPair({ highWaterBytes: 10 });
  assert.equal(left.write(Buffer.alloc(9)), true);
  assert.equal(left.write(Buffer.alloc(1)), false);
  assert.equal(left.bufferedBytes, 10);
  right.receive({ data: () => {}, end: () => {}, closed: () => {} });
  await left.drained();
  assert.equal(left.bufferedBytes, 0);
});
