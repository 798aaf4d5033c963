import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { makeCertificate } from '../../test/certificate.ts';
import { upgradeServer } from '../../test/upgrade-server.ts';
import { proxyUpgrade } from '../proxy/proxy-upgrade.ts';
import { acceptWebSocket } from './accept.ts';

const certificate = makeCertificate('records');
const protocol = 'v4.channel.k8s.io';
const request = [
  'GET /front HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  `Sec-WebSocket-Protocol: ${protocol}`,
];

type Serve = Parameters<typeof upgradeServer>[0];

/** Sends two messages and a close frame at once. */
const sayAtOnce: Serve = (incoming, socket, head) => {
  const messages = acceptWebSocket({ request: incoming, socket, head, protocols: [protocol] });
  messages.receive({ message() {}, closed() {} });
  messages.sendBinary(Buffer.from('one'));
  messages.sendBinary(Buffer.from('other'));
  messages.close();
};

const closeFrame = '\x88\x02\x03\xe8';

/** The size of the last record that a client gets, which ends with the close frame: Node tells of each as it was. */
async function lastRecordOf(serve: Serve): Promise<number> {
  await using server = await upgradeServer(serve, certificate);
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca: certificate.ca });
  socket.write(`${request.join('\r\n')}\r\n\r\n`);
  const whole = Promise.withResolvers<number>();
  let text = '';
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1');
    if (text.endsWith(closeFrame)) whole.resolve(data.length);
  });
  const size = await whole.promise;
  socket.destroy();
  return size;
}

test('the last frame of one moment has a TLS record of its own', async () => {
  const size = await lastRecordOf(sayAtOnce);
  assert.ok(size <= closeFrame.length, `${size}`);
});

test('the last of the frames that a backend sends at once is passed on in a TLS record of its own', async () => {
  const sockets: Duplex[] = [];
  const backend = createServer().on('upgrade', (incoming, socket, head) => {
    sockets.push(socket);
    sayAtOnce(incoming, socket, head);
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(backend.address() as AddressInfo).port}/back`;
  const size = await lastRecordOf((incoming, socket, head) => {
    void proxyUpgrade({ request: incoming, socket, head, backend: { url } });
  });
  for (const socket of sockets) socket.destroy();
  backend.close();
  assert.ok(size <= closeFrame.length, `${size}`);
});
