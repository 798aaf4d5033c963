import assert from 'node:assert/strict';
import { type ClientHttp2Stream, connect, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readBody } from '../http/body.ts';
import { answerOf } from './answer-of.ts';

const text = 'all of it '.repeat(2_000);

/** An answer of HTTP/2 by what a server does with a request's stream. */
async function ask(context: TestContext, respond: (stream: ServerHttp2Stream) => void) {
  const server = createServer().on('stream', respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  context.after(() => {
    session.destroy();
    server.close();
  });
  const stream = session.request({ ':path': '/' });
  const headers = await new Promise<Record<string, string>>((resolve) =>
    stream.once('response', (fields) => resolve(fields as never)),
  );
  return { stream, answer: answerOf({ status: 200, headers, body: stream }) };
}

const isClosed = async (stream: ClientHttp2Stream) => {
  while (!stream.closed) await new Promise((resolve) => setImmediate(resolve));
};

const packings = [
  { name: 'plain', headers: {}, body: Buffer.from(text) },
  { name: 'packed', headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) },
];
for (const { name, headers, body } of packings)
  test(`an answer whose stream has closed before anybody reads it is whole, ${name}`, async (context) => {
    const { stream, answer } = await ask(context, (asked) => {
      asked.respond(headers);
      asked.end(body);
    });
    await isClosed(stream);
    assert.equal(Buffer.from(await readBody(answer, 1e6)).toString(), text);
  });

const endings = [
  { name: 'an error', end: (asked: ServerHttp2Stream) => asked.destroy(new Error('no more of it')) },
  { name: 'CANCEL', end: (asked: ServerHttp2Stream) => addAbortSignal(AbortSignal.abort(), asked) },
];
for (const { name, end } of endings)
  test(`an answer that its sender breaks off with ${name} is torn, before somebody reads it and after`, async (context) => {
    const respond = (asked: ServerHttp2Stream) => {
      asked.on('error', () => {});
      asked.respond({});
      asked.write('begun');
      setTimeout(end, 50, asked);
    };
    const early = await ask(context, respond);
    await assert.rejects(readBody(early.answer, 1e6), { code: 'bad-answer' });
    const late = await ask(context, respond);
    late.stream.on('error', () => {});
    await isClosed(late.stream);
    await assert.rejects(readBody(late.answer, 1e6), { code: 'bad-answer' });
  });

test('an answer that has arrived is whole, though its connection is gone before anybody reads it', async (context) => {
  const { stream, answer } = await ask(context, (asked) => {
    asked.respond({ 'content-length': String(text.length) });
    asked.write(text);
  });
  while (stream.readableLength < text.length) await new Promise((resolve) => setImmediate(resolve));
  stream.session?.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  assert.equal(Buffer.from(await readBody(answer, 1e6)).toString(), text);
});

test('of an answer that is shorter than its head says nothing is whole', async (context) => {
  const { stream, answer } = await ask(context, (asked) => {
    asked.respond({ 'content-length': String(text.length + 1) });
    asked.write(text);
  });
  while (stream.readableLength < text.length) await new Promise((resolve) => setImmediate(resolve));
  stream.session?.destroy();
  await new Promise((resolve) => stream.once('close', resolve));
  await assert.rejects(readBody(answer, 1e6), { code: 'bad-answer' });
});

test('who leaves the loop ends the exchange', async (context) => {
  const { stream, answer } = await ask(context, (asked) => {
    asked.respond({});
    asked.write('on and on');
  });
  for await (const _ of answer.body) break;
  assert.ok(stream.destroyed);
});
