import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { collect } from '@wherry/bytes';
import { makeCertificate } from '../../test/certificate.ts';
import { acceptSpdyUpgrade } from '../spdy/accept.ts';
import { requestUpgrade } from '../spdy/request.ts';

test('a second upgrade with the same TLS options resumes the first one’s session, and the server still knows who asks', async () => {
  const pair = makeCertificate('node');
  const protocols = ['v4.channel.k8s.io'];
  const server = createServer({ ...pair, requestCert: true, rejectUnauthorized: true });
  server.on('upgrade', (incoming, socket, rest) => {
    const tls = incoming.socket as TLSSocket;
    const { channel } = acceptSpdyUpgrade({ request: incoming, socket, head: rest, protocols });
    channel.receive({ data() {}, end() {}, closed() {} });
    const who = tls.authorized ? tls.getPeerCertificate().subject.CN : 'nobody';
    channel.write(Buffer.from(`${who} ${tls.isSessionReused() ? 'resumed' : 'new'}`));
    channel.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = async (tls: object) => {
    const { channel } = await requestUpgrade({ url, protocols, tls });
    channel.end();
    return Buffer.from(await collect(channel)).toString();
  };
  const { ca, cert, key } = pair;
  const tls = { ca, cert, key };
  assert.equal(await ask(tls), 'node new');
  assert.equal(await ask(tls), 'node resumed');
  assert.equal(await ask({ ...tls }), 'node new', 'other options, other sessions');
  server.close();
});
