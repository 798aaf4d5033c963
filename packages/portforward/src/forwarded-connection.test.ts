import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '@wherry/clock';
import { createSpdySession, type SpdyStream } from '@wherry/spdy';
import { acceptSpdyUpgrade } from '@wherry/upgrade';
import { upgradeServer } from '../../upgrade/test/upgrade-server.ts';
import type { PortForwardError } from './errors.ts';
import { connectPortForward, type PortForwardConnection } from './index.ts';
import { portForwardProtocol, streamHeaders } from './protocols.ts';

type Play = (streams: { data: SpdyStream; error: SpdyStream }) => void;

/** A server whose side of each connection a test plays, once both of its streams are there. */
async function start(play: Play) {
  const server = await upgradeServer((request, socket, head) => {
    const { channel } = acceptSpdyUpgrade({ request, socket, head, protocols: [portForwardProtocol] });
    const streams = new Map<string, SpdyStream>();
    createSpdySession({
      transport: channel,
      role: 'server',
      clock: systemClock,
      onStream(stream) {
        stream.reply();
        streams.set(stream.headers.get(streamHeaders.type) ?? '', stream);
        const [data, error] = [streams.get('data'), streams.get('error')];
        if (data && error) play({ data, error });
      },
    });
  });
  return { server, connection: await connectPortForward({ url: server.url, transport: 'spdy' }) };
}

/** What a reader sees that comes when all is over. */
async function readLate(connection: PortForwardConnection, isEnded: boolean) {
  const channel = await connection.dial(80);
  if (isEnded) channel.end();
  const outcome = (await channel.closed) as PortForwardError | null;
  const seen: string[] = [];
  await new Promise<void>((resolve) =>
    channel.receive({
      data: (chunk) => seen.push(Buffer.from(chunk).toString()),
      end: () => seen.push('end'),
      closed(error) {
        seen.push(`closed: ${error?.message ?? 'in order'}`);
        assert.equal(error, outcome);
        resolve();
      },
    }),
  );
  return seen;
}

test('a reader that comes when the connection is over has all that came, and is told how it ended', {
  timeout: 20_000,
}, async () => {
  const rows: [play: Play, isEnded: boolean, seen: string[]][] = [
    [
      ({ data, error }) => {
        data.write(Buffer.from('answer'));
        data.end();
        error.end();
      },
      true,
      ['answer', 'end', 'closed: in order'],
    ],
    [
      ({ data, error }) => {
        data.write(Buffer.from('half'));
        data.reset();
        error.end();
      },
      false,
      ['half', 'closed: the connection was reset by the other side'],
    ],
    [
      ({ data, error }) => {
        error.write(Buffer.from('refused'));
        error.end();
        data.reset();
      },
      false,
      ['closed: refused'],
    ],
  ];
  for (const [play, isEnded, seen] of rows) {
    const { server, connection } = await start(play);
    await using _ = server;
    assert.deepEqual(await readLate(connection, isEnded), seen);
    connection.close();
  }
});
