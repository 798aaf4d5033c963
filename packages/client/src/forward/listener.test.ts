import assert from 'node:assert/strict';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fromDuplex } from '@wherry/bytes';
import { openListener } from './listener.ts';

const refusedPort = 9;

/** A far side that answers with everything it got, once it was told that there is no more. */
async function startForward(context: TestContext) {
  const far = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('end', () => socket.end(Buffer.concat(chunks)));
  });
  await new Promise<void>((resolve) => far.listen(0, '127.0.0.1', resolve));
  const { port } = far.address() as AddressInfo;
  const failures: string[] = [];
  const dialer = {
    async dial(remote: number | string) {
      if (remote === refusedPort) throw new Error('refused');
      return fromDuplex(connect(port, '127.0.0.1'));
    },
  };
  const open = (remote: number) =>
    openListener({ address: '127.0.0.1', localPort: 0, remotePort: remote, remote }, dialer, {
      failure: (_listener, error) => failures.push(error.message),
    });
  const [echo, refused] = await Promise.all([open(port), open(refusedPort)]);
  context.after(async () => {
    await Promise.all([echo.close(), refused.close()]);
    far.close();
  });
  return { echo, refused, failures };
}

function talk(port: number, say: Buffer | string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.end(say);
  });
}

test('bytes go both ways, and the answer to a half-closed request arrives whole', async (context) => {
  const { echo } = await startForward(context);
  const request = Buffer.alloc(3_000_000, 'forward ');
  assert.deepEqual(await talk(echo.localPort, request), request);
});

test('a connection that the far side refuses is reset alone', async (context) => {
  const { echo, refused, failures } = await startForward(context);
  await assert.rejects(talk(refused.localPort, 'x'), /ECONNRESET/);
  assert.deepEqual(failures, ['refused']);
  assert.equal((await talk(echo.localPort, 'still here')).toString(), 'still here');
});

test('closing ends the listener and what goes through it, and tells of no failure', async (context) => {
  const { echo, failures } = await startForward(context);
  const socket = connect(echo.localPort, '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('error', () => {}).on('close', resolve));
  await new Promise((resolve) => socket.on('connect', resolve));
  socket.write('begun');
  await echo.close();
  await closed;
  assert.deepEqual(failures, []);
  await assert.rejects(talk(echo.localPort, 'x'), /ECONNREFUSED/);
});
