import assert from 'node:assert/strict';
import { describeByteChannel } from '@wherry/bytes/suite';
import { sessionPair, settle } from '../../test/raw-peer.ts';
import type { SpdyStream } from './contract.ts';

describeByteChannel('a SPDY stream', async () => {
  let right: SpdyStream | undefined;
  const { client, server } = sessionPair({
    server: {
      onStream(stream) {
        right = stream;
        stream.reply();
      },
    },
  });
  const left = await client.createStream({});
  assert.ok(right);
  return {
    left,
    right,
    async cleanup() {
      client.close();
      server.close();
      await settle();
    },
  };
});
