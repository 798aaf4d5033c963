import assert from 'node:assert/strict';
import { it } from 'node:test';
import { channelPair } from './channel-pair.ts';
import { collect } from './collect.ts';
import { iterate } from './iterate.ts';
import { toDuplex } from './node/to-duplex.ts';
import { pipe, pump } from './pipe.ts';

it('pipes both directions with half-close and counts the bytes', async () => {
  const [client, frontdoor] = channelPair();
  const [backdoor, server] = channelPair();
  const done = pipe(frontdoor, backdoor);
  const request = collect(server);
  client.write(Buffer.from('question'));
  client.end();
  assert.equal(Buffer.from(await request).toString(), 'question');
  const answer = collect(client);
  server.write(Buffer.from('the answer'));
  server.end();
  assert.equal(Buffer.from(await answer).toString(), 'the answer');
  assert.deepEqual(await done, { leftToRightBytes: 8, rightToLeftBytes: 10, error: null });
});

it('moves at the pace of the slower side', async () => {
  const [source, left] = channelPair({ highWaterBytes: 1000 });
  const [right, slow] = channelPair({ highWaterBytes: 1000 });
  pipe(left, right);
  let written = 0;
  const stuck = new AbortController();
  setTimeout(() => stuck.abort(), 50);
  try {
    for (;;) {
      written += 100;
      if (!source.write(Buffer.alloc(100))) await source.drained({ signal: stuck.signal });
    }
  } catch (error) {
    assert.equal((error as Error).name, 'AbortError');
  }
  assert.ok(written <= 4000, `${written} bytes were taken although nobody read`);
  slow.abort(new Error('test over'));
});

it('aborts the one side when the other breaks', async () => {
  const [client, frontdoor] = channelPair();
  const [backdoor, server] = channelPair();
  const done = pipe(frontdoor, backdoor);
  server.abort(new Error('crashed'));
  assert.ok((await done).error);
  assert.ok((await client.closed) instanceof Error);
});

it('leaves the sink open when told to', async () => {
  const [from, source] = channelPair();
  const [sink, to] = channelPair();
  from.write(Buffer.from('first '));
  from.end();
  assert.deepEqual(await pump(source, sink, { end: false }), { bytes: 6, error: null });
  sink.write(Buffer.from('second'));
  sink.end();
  assert.equal(Buffer.from(await collect(to)).toString(), 'first second');
});

it('does not call a source that closed without its FIN a success', async () => {
  const [from, source] = channelPair();
  const [sink, to] = channelPair();
  const done = pump(source, sink);
  from.write(Buffer.from('half'));
  from.abort(new Error('gone'));
  assert.match(String((await done).error?.message), /gone/);
  await assert.rejects(collect(to), /gone/);
});

it('iterates at the reader’s pace and ends the source when the loop is left', async () => {
  const [from, source] = channelPair();
  from.write(Buffer.alloc(1, 'a'));
  from.write(Buffer.alloc(1, 'b'));
  for await (const chunk of iterate(source)) {
    assert.equal(Buffer.from(chunk).toString(), 'a');
    break;
  }
  assert.ok((await from.closed) instanceof Error);
});

it('stops iterating by signal', async () => {
  const [from, source] = channelPair();
  const reason = new Error('changed my mind');
  await assert.rejects(collect(source, { signal: AbortSignal.abort(reason) }), reason);
  assert.ok((await from.closed) instanceof Error);
});

it('collects no more than it was told', async () => {
  const [from, source] = channelPair();
  from.write(Buffer.alloc(100));
  await assert.rejects(collect(source, { bytesMax: 99 }), { code: 'too-large' });
});

it('serves as a Node stream in both directions', async () => {
  const [left, right] = channelPair();
  const duplex = toDuplex(left);
  duplex.end('from node');
  assert.equal(Buffer.from(await collect(right)).toString(), 'from node');
  right.write(Buffer.from('to node'));
  right.end();
  const chunks: Buffer[] = [];
  for await (const chunk of duplex) chunks.push(chunk);
  assert.equal(Buffer.concat(chunks).toString(), 'to node');
  assert.equal(await right.closed, null);
});

it('aborts the channel when the Node stream over it is destroyed', async () => {
  const [left, right] = channelPair();
  toDuplex(left).destroy();
  assert.ok((await right.closed) instanceof Error);
});
