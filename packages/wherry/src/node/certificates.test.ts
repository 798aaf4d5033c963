import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { ensurePki, pkiPaths } from './pki.ts';

const pkiDir = mkdtempSync(join(tmpdir(), 'wherry-pki-'));
const options = { pkiDir, nodeName: 'node-one', nodeIp: '192.0.2.7', apiAddresses: ['10.88.3.1'] };
const paths = pkiPaths(pkiDir);
const read = (file: string) => readFileSync(join(pkiDir, file));
after(() => rmSync(pkiDir, { recursive: true, force: true }));

test('every certificate is issued by the authority and names its user', async () => {
  assert.equal(await ensurePki(options), 6);
  const authority = new X509Certificate(readFileSync(paths.caCert));
  assert.ok(authority.ca && authority.verify(authority.publicKey));
  const subjects = {
    admin: 'O=system:masters\nCN=wherry-admin',
    'kubelet-client': 'O=system:nodes\nCN=system:node:node-one',
  };
  for (const [file, subject] of Object.entries(subjects)) {
    const certificate = new X509Certificate(read(`${file}.crt`));
    assert.equal(certificate.subject, subject);
    assert.ok(
      !certificate.ca && certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
    );
  }
});

test('the serving certificates cover every name and address that is used', () => {
  const api = new X509Certificate(read('apiserver.crt'));
  for (const address of ['127.0.0.1', '::1', '192.0.2.7', '10.88.3.1'])
    assert.equal(api.checkIP(address), address);
  for (const name of ['localhost', 'kubernetes.default.svc']) assert.equal(api.checkHost(name), name);
});

test('keys are readable by their owner only', () => {
  for (const file of ['ca.key', 'admin.key', 'service-account.key']) {
    assert.equal(statSync(join(pkiDir, file)).mode & 0o777, 0o600);
  }
  assert.equal(createPublicKey(read('service-account.key')).asymmetricKeyDetails?.namedCurve, 'prime256v1');
});

test('a second run issues nothing, another address only what names it', async () => {
  assert.equal(await ensurePki(options), 0);
  const before = read('admin.crt');
  assert.equal(await ensurePki({ ...options, nodeIp: '192.0.2.8' }), 2);
  assert.deepEqual(read('admin.crt'), before);
});

test('mutual TLS stands on them', async () => {
  const ca = read('ca.crt');
  const server = createServer(
    {
      ca,
      cert: read('apiserver.crt'),
      key: read('apiserver.key'),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (incoming, response) => response.end((incoming.socket as TLSSocket).getPeerCertificate().subject.CN),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const said = await new Promise<string>((resolve, reject) => {
    const client = { ca, cert: read('admin.crt'), key: read('admin.key') };
    request({ host: '127.0.0.1', port, ...client }, (response) =>
      response.on('data', (chunk) => resolve(String(chunk))),
    )
      .on('error', reject)
      .end();
  });
  server.close();
  server.closeAllConnections();
  assert.equal(said, 'wherry-admin');
});
