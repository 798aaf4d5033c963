import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { askHttp, type HttpAnswer } from './http-exchange.ts';

/** What comes of asking a server that answers these bytes, and the port that it had. */
async function asked(bytes: Buffer | string): Promise<{ answer: Promise<HttpAnswer>; authority: string }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(bytes));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const target = { url: new URL(`http://${authority}/`), path: '/', headers: {} };
  const answer = askHttp(target, new AbortController().signal);
  answer.catch(() => {}).finally(() => server.close());
  return { answer, authority };
}

const understood: [what: string, text: string][] = [
  ['lines that end without CR', 'HTTP/1.1 200 OK\nContent-Type: text/plain\n\nhi'],
  ['a line that goes on in the next one', 'HTTP/1.1 200 OK\r\nX-One: a\r\n b\r\n\r\nhi'],
  [
    'a length beside chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n',
  ],
  [
    'a space behind the size of a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nhi\r\n0\r\n\r\n',
  ],
  ['a large head', `HTTP/1.1 200 OK\r\nX-One: ${'x'.repeat(100_000)}\r\n\r\nhi`],
];
for (const [what, text] of understood)
  test(`an answer with ${what} is understood, as by Go's client`, async () => {
    const { statusCode, body, bodyProblem } = await (await asked(text)).answer;
    assert.deepEqual([statusCode, body, bodyProblem], [200, 'hi', undefined]);
  });

test('a server that wants to speak something else has answered', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n';
  assert.equal((await (await asked(head)).answer).statusCode, 101);
});

const refused: [bytes: Buffer | string, words: string][] = [
  ['', 'EOF'],
  [
    Buffer.from('\x15\x03\x01\x00\x02"\\\r\nmore', 'latin1'),
    'net/http: HTTP/1.x transport connection broken: malformed HTTP response "\\x15\\x03\\x01\\x00\\x02\\"\\\\"',
  ],
  ['HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n', 'failed to parse Location header "http://["'],
];
for (const [bytes, words] of refused)
  test(`what is no answer is told as Go's client tells it: ${words}`, async () => {
    const { answer, authority } = await asked(bytes);
    await assert.rejects(answer, { message: `Get "http://${authority}/": ${words}` });
  });
