/** Our SPDY session against github.com/moby/spdystream on real sockets, each once as client and once as server. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { collect, fromDuplex, pump } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { createSpdySession, type SpdySession, type SpdyStream } from '@wherry/spdy';
import { buildGoPeer } from './peers/go-peer.ts';

const mebibyte = 1024 * 1024;

let peerBinary = '';
before(async () => {
  peerBinary = await buildGoPeer('spdypeer');
});

/** Writes `total` bytes at the pace of the transport, then half-closes. */
async function pour(stream: SpdyStream, total: number): Promise<void> {
  const chunk = Buffer.alloc(32 * 1024);
  for (let left = total; left > 0; left -= chunk.length) {
    if (!stream.write(chunk.subarray(0, Math.min(left, chunk.length)))) await stream.drained();
  }
  stream.end();
}

const text = async (stream: SpdyStream) => Buffer.from(await collect(stream)).toString();

describe('our client against a Go server', () => {
  let server: ChildProcess;
  let port = 0;
  before(async () => {
    server = spawn(peerBinary, ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: server.stdout! }), 'line');
    port = Number(line);
  });
  after(async () => {
    server.stdin?.end();
    if (server.exitCode === null) await once(server, 'exit');
  });

  const withSession = (body: (session: SpdySession) => Promise<void>) => async () => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const session = createSpdySession({
      transport: fromDuplex(socket),
      role: 'client',
      clock: systemClock,
      // A Go acceptor that never replied is stuck in the worker that takes our reset, and never closes.
      limits: { lingerMs: 500 },
    });
    try {
      await body(session);
    } finally {
      session.close();
      await session.closed;
    }
  };

  it(
    '2. opens 10 000 streams on one connection, whose headers it can all inflate',
    withSession(async (session) => {
      for (let batch = 0; batch < 100; batch++) {
        await Promise.all(
          Array.from({ length: 100 }, async (_, index) => {
            const word = `stream ${batch * 100 + index}`;
            const stream = await session.createStream({
              behaviour: 'echo',
              port: String(index),
              requestID: word,
            });
            stream.write(Buffer.from(word));
            stream.end();
            assert.equal(await text(stream), word);
          }),
        );
      }
      assert.equal(session.streamCount, 0);
    }),
  );

  it(
    '8 and 15. sends 64 MiB without a WINDOW_UPDATE, half-closes, and reads the answer',
    withSession(async (session) => {
      const stream = await session.createStream({ behaviour: 'sink' });
      const answer = text(stream);
      await pour(stream, 64 * mebibyte);
      assert.equal(await answer, String(64 * mebibyte));
    }),
  );

  it(
    '15. receives 64 MiB without a WINDOW_UPDATE',
    withSession(async (session) => {
      const stream = await session.createStream(
        { behaviour: 'source', bytes: String(64 * mebibyte) },
        { fin: true },
      );
      assert.equal((await collect(stream, { bytesMax: 65 * mebibyte })).length, 64 * mebibyte);
    }),
  );

  it(
    'is told that a stream was refused, and opens the next one',
    withSession(async (session) => {
      await assert.rejects(session.createStream({ behaviour: 'refuse' }), { code: 'reset', status: 5 });
      const stream = await session.createStream({ behaviour: 'echo' });
      stream.end();
      assert.equal(await text(stream), '');
    }),
  );

  it(
    '5. gives up on a stream that gets no reply, and lives on',
    withSession(async (session) => {
      const signal = AbortSignal.timeout(200);
      await assert.rejects(session.createStream({ behaviour: 'silent' }, { signal }), {
        name: 'TimeoutError',
      });
      await session.ping();
    }),
  );

  it(
    '104. receives what was sent before a reset, and only a FIN for close and reset',
    withSession(async (session) => {
      const stream = await session.createStream({ behaviour: 'reset' });
      const words: string[] = [];
      const closed = new Promise<Error | null>((resolve) => {
        stream.receive({
          data: (chunk) => words.push(Buffer.from(chunk).toString()),
          end: () => words.push('<end>'),
          closed: resolve,
        });
      });
      assert.equal(((await closed) as { code?: string }).code, 'reset');
      assert.deepEqual(words, ['last words']);
      const finished = await session.createStream({ behaviour: 'close-then-reset' });
      assert.equal(await text(finished), 'done');
    }),
  );

  it(
    '10. pings and is answered',
    withSession(async (session) => {
      for (let index = 0; index < 100; index++) assert.ok((await session.ping()) >= 0);
    }),
  );

  it(
    '105. ends in order when the server says GOAWAY',
    withSession(async (session) => {
      const stream = await session.createStream({ behaviour: 'goaway' });
      const pieces: string[] = [];
      stream.receive({
        data: (chunk) => pieces.push(Buffer.from(chunk).toString()),
        end: () => pieces.push('<end>'),
        closed: () => {},
      });
      assert.equal(((await stream.closed) as { code?: string }).code, 'going-away');
      assert.equal(await session.closed, null);
      assert.deepEqual(pieces, ['bye']);
    }),
  );

  it(
    '16. keeps pings and siblings going while it does not read one stream',
    withSession(async (session) => {
      const stalled = await session.createStream({ behaviour: 'source', bytes: String(mebibyte) });
      const lively = await session.createStream({ behaviour: 'sink' });
      const answer = text(lively);
      await pour(lively, 16 * mebibyte);
      assert.equal(await answer, String(16 * mebibyte));
      await session.ping();
      stalled.end();
      assert.equal((await collect(stalled)).length, mebibyte);
    }),
  );
});

/** What a Go client asks of our server. */
function behave(session: () => SpdySession, stream: SpdyStream): void {
  const behaviour = stream.headers.get('behaviour');
  if (behaviour === 'refuse') {
    stream.reset();
    return;
  }
  stream.reply();
  if (behaviour === 'echo') pump(stream, stream);
  if (behaviour === 'source') pour(stream, Number(stream.headers.get('bytes'))).catch(() => {});
  if (behaviour === 'sink') {
    collect(stream, { bytesMax: 1024 * mebibyte }).then((bytes) => {
      stream.write(Buffer.from(String(bytes.length)));
      stream.end();
    });
  }
  if (behaviour === 'reset') {
    stream.write(Buffer.from('last words'));
    stream.reset();
  }
  if (behaviour === 'goaway') {
    stream.write(Buffer.from('bye'));
    session().close();
  }
}

describe('a Go client against our server', () => {
  let server: Server;
  let outcomes: Promise<Error | null>[] = [];
  before(async () => {
    server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      const session: SpdySession = createSpdySession({
        transport: fromDuplex(socket),
        role: 'server',
        clock: systemClock,
        onStream: (stream) => behave(() => session, stream),
      });
      outcomes.push(session.closed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
  });

  /** Runs a scenario of the Go client and returns what it printed. */
  async function play(scenario: string, count = 0): Promise<string> {
    outcomes = [];
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { stdout } = await promisify(execFile)(peerBinary, ['client', address, scenario, String(count)]);
    await Promise.all(outcomes);
    return stdout.trim();
  }

  it('2. takes 10 000 streams on one connection', async () => {
    assert.equal(await play('streams', 10_000), '10000 echoed');
  });
  it('8 and 15. takes 64 MiB, then answers on the half that is still open', async () => {
    assert.match(await play('upload', 64 * mebibyte), /^67108864 bytes arrived/);
  });
  it('15. sends 64 MiB', async () => {
    assert.match(await play('download', 64 * mebibyte), /^67108864 bytes received/);
  });
  it('echoes 16 MiB while they come', async () => {
    assert.equal(await play('echo', 16 * mebibyte), `${16 * mebibyte} bytes came back`);
  });
  it('refuses one stream and takes the next', async () => {
    assert.equal(await play('refused'), 'refused: Stream reset\nnext: <nil>');
  });
  it('9. resets a stream behind its last words', async () => {
    assert.equal(await play('reset'), 'last words, <nil>, close: Write on closed stream');
  });
  it('10. answers pings', async () => {
    assert.equal(await play('ping', 100), '100 pings answered');
  });
  it('13. says GOAWAY, and the client sees its streams end', async () => {
    assert.equal(await play('goaway'), 'bye, <nil>, closed');
  });
  it('105. ends when the client says GOAWAY', async () => {
    assert.equal(await play('close'), 'closed');
    assert.deepEqual(await Promise.all(outcomes), [null]);
  });
});
