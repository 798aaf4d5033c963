import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collect } from '@wherry/bytes';
import { connectRemoteCommand } from '@wherry/remotecommand';
import { makeCertificate } from '../../../upgrade/test/certificate.ts';
import { StreamingServer } from './server.ts';

const streams = { stdin: false, stdout: true, stderr: false, tty: false };
const unused = () => Promise.reject(new Error('not part of this test'));

test('79: URLs are absolute, with the port that 0 became, and with a certificate they are https', async () => {
  const { cert, key, ca } = makeCertificate('127.0.0.1');
  const server = new StreamingServer({
    tls: { certPem: cert.toString(), keyPem: key.toString() },
    port: 0,
    runner: {
      async exec(_request, { stdout }) {
        stdout?.write(Buffer.from('over TLS'));
        return { kind: 'exited', exitCode: 4 };
      },
      attach: unused,
      portForward: unused,
    },
  });
  await server.listen();
  try {
    const url = new URL(server.execUrl({ containerId: 'c1', ...streams }));
    assert.match(url.href, /^https:\/\/127\.0\.0\.1:[1-9]\d*\/exec\/[\w-]{8}$/);
    const session = await connectRemoteCommand({ url, streams, transport: 'spdy', tls: { ca } });
    assert.equal(Buffer.from(await collect(session.stdout!)).toString(), 'over TLS');
    assert.equal(await session.exitCode, 4);
  } finally {
    await server.close();
  }
});
