import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { collect, fromDuplex, pump } from '@wherry/bytes';
import { connectPortForward } from '@wherry/portforward';
import { connectRemoteCommand, type RemoteCommandTransport } from '@wherry/remotecommand';
import { StreamingServer } from './server.ts';

const streams = { stdin: true, stdout: true, stderr: false, tty: false };
const execRequest = { containerId: 'c1', ...streams };

describe('StreamingServer', () => {
  const calls: string[] = [];
  let server: StreamingServer;

  beforeEach(async () => {
    calls.length = 0;
    server = new StreamingServer({
      runner: {
        async exec({ containerId }, { stdin, stdout }) {
          calls.push(`exec ${containerId}`);
          if (stdin && stdout) await pump(stdin, stdout);
          return { kind: 'exited', exitCode: 7 };
        },
        async attach({ containerId }, { stdout }) {
          calls.push(`attach ${containerId}`);
          stdout?.write(Buffer.from('attached'));
          return { kind: 'exited', exitCode: 0 };
        },
        async portForward({ sandboxId }, port) {
          calls.push(`forward ${sandboxId}`);
          const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
          await once(socket, 'connect');
          return fromDuplex(socket);
        },
      },
    });
    await server.listen();
  });

  afterEach(() => server.close());

  async function get(url: string, method = 'GET') {
    const request = httpRequest(url, { method });
    request.end();
    const [answer] = await once(request, 'response');
    let body = '';
    for await (const chunk of answer) body += chunk;
    return { statusCode: answer.statusCode, body };
  }

  for (const transport of ['spdy', 'websocket'] satisfies RemoteCommandTransport[]) {
    const options = transport === 'spdy' ? {} : { webSocketProtocols: ['v4.channel.k8s.io'] };

    it(`runs an exec over ${transport} and tells its exit code`, async () => {
      const url = new URL(server.execUrl(execRequest));
      const session = await connectRemoteCommand({ url, streams, transport, ...options });
      const output = collect(session.stdout!);
      session.stdin?.write(Buffer.from('hello'));
      if (transport === 'spdy') {
        session.stdin?.end();
        assert.equal(Buffer.from(await output).toString(), 'hello');
        assert.equal(await session.exitCode, 7);
      } else {
        // This dialect has no end of input: only leaving ends the command.
        session.close();
        await Promise.allSettled([output, session.exitCode]);
      }
      assert.deepEqual(calls, ['exec c1']);
    });

    it(`attaches over ${transport}`, async () => {
      const url = new URL(server.attachUrl({ ...execRequest, stdin: false }));
      const session = await connectRemoteCommand({
        url,
        streams: { ...streams, stdin: false },
        transport,
        ...options,
      });
      assert.equal(Buffer.from(await collect(session.stdout!)).toString(), 'attached');
      assert.equal(await session.exitCode, 0);
    });
  }

  it('forwards to a port of the pod', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const url = new URL(server.portForwardUrl({ sandboxId: 's1', ports: [] }));
    const session = await connectPortForward({ url, transport: 'spdy' });
    const channel = await session.dial((echo.address() as AddressInfo).port);
    channel.write(Buffer.from('ping'));
    channel.end();
    assert.equal(Buffer.from(await collect(channel)).toString(), 'ping');
    session.close();
    echo.close();
  });

  it('answers 404 for a token that is unknown, used, or of another route, and each look-up uses a token up', async () => {
    const missing = { statusCode: 404, body: '404 page not found\n' };
    const base = new URL(server.execUrl(execRequest)).origin;
    assert.deepEqual(await get(`${base}/exec/AAAAAAAA`), missing);
    assert.deepEqual(await get(`${base}/nowhere`), missing);
    const wrongRoute = server.execUrl(execRequest).replace('/exec/', '/attach/');
    assert.deepEqual(await get(wrongRoute), missing);
    assert.deepEqual(await get(wrongRoute.replace('/attach/', '/exec/')), missing);
    const failed = server.execUrl(execRequest);
    assert.equal((await get(failed)).statusCode, 400);
    assert.deepEqual(await get(failed), missing);
    assert.deepEqual(calls, []);
  });

  it('refuses methods other than GET and POST without using the token up', async () => {
    const url = server.execUrl(execRequest);
    assert.equal((await get(url, 'PUT')).statusCode, 405);
    assert.equal((await get(url)).statusCode, 400);
  });

  it('refuses malformed requests in the words of upstream', () => {
    const refusal = (message: string) => ({ code: 'INVALID_ARGUMENT', message });
    const nothing = { stdin: false, stdout: false, stderr: false, tty: false };
    assert.throws(
      () => server.execUrl({ ...execRequest, containerId: '' }),
      refusal('missing required container_id'),
    );
    assert.throws(
      () => server.execUrl({ ...execRequest, tty: true, stderr: true }),
      refusal('tty and stderr cannot both be true'),
    );
    assert.throws(
      () => server.execUrl({ containerId: 'c', ...nothing }),
      refusal('one of stdin, stdout, or stderr must be set'),
    );
    assert.throws(
      () => server.attachUrl({ containerId: 'c', ...nothing }),
      refusal('one of stdin, stdout, and stderr must be set'),
    );
    assert.throws(
      () => server.portForwardUrl({ sandboxId: '', ports: [] }),
      refusal('missing required pod_sandbox_id'),
    );
  });

  it('cuts the sessions under way when it closes', async () => {
    const url = new URL(server.execUrl(execRequest));
    const session = await connectRemoteCommand({ url, streams, transport: 'spdy' });
    const output = collect(session.stdout!);
    assert.equal(server.sessions, 1);
    await server.close();
    await Promise.allSettled([output]);
    await assert.rejects(session.exitCode, { code: 'connectionLost' });
    server = new StreamingServer({ runner: { exec, attach: exec, portForward: never } });
    await server.listen();
  });
});

const exec = async () => ({ kind: 'exited', exitCode: 0 }) as const;
const never = () => Promise.reject(new Error('not used'));
