import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { openWatchDoor, type WatchDoor } from './watch-door.ts';

const media = { encoding: 'json', as: 'object', asVersion: '', pretty: false } as const;

/** A watch that has begun, at both ends. */
interface Begun {
  door: WatchDoor;
  response: ServerResponse;
  request: ClientRequest;
  answer: IncomingMessage;
}

async function begin(test: TestContext): Promise<Begun> {
  const server = createServer();
  test.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const request = get({ host: '127.0.0.1', port, agent: false });
  test.after(() => request.destroy());
  const answered = once(request, 'response');
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const door = openWatchDoor({ exchange: undefined, response: () => response }, media)!;
  const [answer] = (await answered) as [IncomingMessage];
  return { door, response, request, answer };
}

function fill(door: WatchDoor): void {
  while (door.write(Buffer.alloc(65_536, ' ')));
}

describe('the body of a watch', () => {
  it('is waited for as often as it is full, and keeps no listener of who waited', async (test) => {
    const { door, response, answer } = await begin(test);
    const counts = () => ['drain', 'close', 'error'].map((name) => response.listenerCount(name));
    const before = counts();
    for (let turn = 0; turn < 20; turn += 1) {
      answer.pause();
      fill(door);
      const drained = door.drained();
      answer.resume();
      await drained;
    }
    assert.deepEqual(counts(), before);
  });

  it('is waited for no longer than its client is there', async (test) => {
    const { door, request, answer } = await begin(test);
    answer.on('error', () => {});
    fill(door);
    const drained = door.drained();
    request.destroy();
    await drained;
    await door.drained();
  });
});
