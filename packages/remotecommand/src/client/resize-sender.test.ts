import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelPair, collect } from '@wherry/bytes';
import { ResizeSender } from './resize-sender.ts';

test('what is no size of a terminal is not sent: Go servers read no size behind one that they cannot read', async () => {
  const [near, far] = channelPair();
  const sender = new ResizeSender(near);
  for (const width of [Number.NaN, -1, 80.5, 65_536, undefined as unknown as number])
    sender.send({ width, height: 24 });
  sender.send({ width: 80, height: 24 });
  near.end();
  assert.equal(Buffer.from(await collect(far)).toString(), '{"Width":80,"Height":24}\n');
});
