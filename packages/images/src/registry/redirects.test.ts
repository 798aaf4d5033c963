import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import type { TransportAnswer } from '../transport/transport.ts';
import { followRedirects } from './redirects.ts';
import { fetchToken } from './token.ts';

const here = [
  'http://127.0.0.1:10248/healthz',
  'https://localhost/x',
  'http://[::1]:2379/v2',
  'http://0x7f.1/',
  'http://[::ffff:127.0.0.1]:10248/healthz',
  'http://[::ffff:7f00:1]/',
  // Linux leads these to the loopback.
  'http://0.0.0.0:10248/healthz',
  'http://[::]:2379/v2',
  'http://localhost.:10248/healthz',
  'https://any.localhost/x',
];

/** An answer that leads elsewhere, without a body. */
function leadingTo(location: string): TransportAnswer {
  const body = { on: () => {}, resume: () => {}, complete: true } as unknown as IncomingMessage;
  return { status: 307, headers: { location }, body };
}

test('a registry elsewhere leads to nothing on this machine, by redirect or by token server', async () => {
  const asked: string[] = [];
  for (const place of here) {
    for (const from of ['https://registry.example/v2/a', 'http://registry.example/v2/a'])
      await assert.rejects(
        followRedirects(new URL(from), 'GET', async (url) => {
          asked.push(url.host);
          return leadingTo(place);
        }),
        /registry\.example redirects to this machine's .*, which is refused/,
      );
    await assert.rejects(
      fetchToken({
        challenge: { scheme: 'bearer', parameters: { realm: place } },
        ...{ repository: 'a', credentials: undefined, registry: new URL('https://registry.example/') },
        send: async (url) => {
          asked.push(url.host);
          throw new Error('asked');
        },
        refusal: async () => {
          throw new Error('refused');
        },
      }),
      /is on this machine, and the registry registry\.example is not/,
    );
  }
  assert.deepEqual(new Set(asked), new Set(['registry.example']));
});

test('a registry on this machine may lead to what else is there', async () => {
  const answers = [leadingTo('http://localhost:5001/b'), { ...leadingTo('x'), status: 200 }];
  const { status } = await followRedirects(
    new URL('http://127.0.0.1:5000/a'),
    'GET',
    async () => answers.shift() as TransportAnswer,
  );
  assert.equal(status, 200);
});
