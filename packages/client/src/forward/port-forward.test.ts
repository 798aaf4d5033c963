import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { KubeClient } from '../kube-client/kube-client.ts';
import { portForward } from './port-forward.ts';

const pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
  spec: { containers: [] },
  status: { phase: 'Running' },
};

/** A cluster of one pod that runs, with which a session stands. */
const client = {
  access: { namespace: 'default' },
  clock: new FakeClock(),
  resource: () => ({
    get: async () => pod,
    listAll: async () => ({ metadata: { resourceVersion: '1' }, items: [pod] }),
    async *watch({ signal }: { signal: AbortSignal }) {
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  }),
  upgrade: async () => {
    const { promise: closed, resolve } = Promise.withResolvers<null>();
    return { closed, close: () => resolve(null) };
  },
} as unknown as KubeClient;

/** A port of 127.0.0.1 that somebody listens on. */
async function takenPort(context: TestContext): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

test('a port that can not be listened on is told of, and the others are forwarded', async (context) => {
  const taken = await takenPort(context);
  const told: string[] = [];
  await using forward = await portForward(client, {
    target: { kind: 'pod', name: 'web' },
    addresses: ['127.0.0.1'],
    ports: [
      { local: taken, remote: 80 },
      { local: 0, remote: 81 },
    ],
    notListening: ({ remote }, { message }) => told.push(`${remote}: ${message}`),
  });
  assert.deepEqual(
    forward.listeners.map(({ remotePort }) => remotePort),
    [81],
  );
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', new RegExp(`^80: Unable to listen on port ${taken}: .*EADDRINUSE`));
});

test('where no port can be listened on, or an address is none, nothing is forwarded', async (context) => {
  const taken = await takenPort(context);
  const to = (address: string) =>
    portForward(client, {
      target: { kind: 'pod', name: 'web' },
      addresses: [address],
      ports: [{ local: taken, remote: 80 }],
    });
  await assert.rejects(to('127.0.0.1'), /unable to listen on any of the requested ports/);
  await assert.rejects(to('example.com'), { code: 'bad-argument', message: 'example.com is not a valid IP' });
});
