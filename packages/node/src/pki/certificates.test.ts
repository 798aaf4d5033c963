import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { issueCertificates } from './certificates.ts';
import { ensurePki } from './ensure-pki.ts';
import { pkiPaths } from './pki.ts';

const pkiDir = mkdtempSync(join(tmpdir(), 'wherry-pki-'));
const options = { pkiDir, nodeName: 'node-one', nodeIp: '192.0.2.7', apiAddresses: ['10.88.3.1'] };
const paths = pkiPaths(pkiDir);
const read = (file: string) => readFileSync(join(pkiDir, file));
after(() => rmSync(pkiDir, { recursive: true, force: true }));

test('every certificate is issued by its authority and names its user', async () => {
  assert.equal((await ensurePki(options)).length, 9);
  const subjects = {
    network: 'CN=system:kube-proxy',
    admin: 'O=system:masters\nCN=wherry-admin',
    'kubelet-client': 'O=system:nodes\nCN=system:node:node-one',
    apiserver: 'CN=kube-apiserver',
    kubelet: 'O=system:nodes\nCN=system:node:node-one',
    'front-proxy-client': 'CN=front-proxy-client',
    'apiserver-kubelet-client': 'CN=kube-apiserver-kubelet-client',
    'controller-manager': 'CN=system:kube-controller-manager',
    scheduler: 'CN=system:kube-scheduler',
  };
  for (const [file, subject] of Object.entries(subjects)) {
    const isKubelets = file === 'kubelet' || file === 'apiserver-kubelet-client';
    const ofProxy = file === 'front-proxy-client' ? 'front-proxy-ca.crt' : 'ca.crt';
    const authority = new X509Certificate(read(isKubelets ? 'kubelet-ca.crt' : ofProxy));
    assert.ok(authority.ca && authority.verify(authority.publicKey));
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

test('keys are in the form that clients for Java read, and an authority of a node of before is read', async () => {
  assert.match(read('admin.key').toString(), /^-----BEGIN EC PRIVATE KEY-----\n/);
  const key = createPrivateKey(read('ca.key')).export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(join(pkiDir, 'ca.key'), key);
  await issueCertificates(paths, [
    { file: 'scheduler', authority: 'ca', usage: 'client', commonName: 'system:kube-scheduler' },
  ]);
  const authority = new X509Certificate(read('ca.crt'));
  assert.ok(new X509Certificate(read('scheduler.crt')).verify(authority.publicKey));
});

test('a second run issues nothing, another address only what names it', async () => {
  assert.deepEqual(await ensurePki(options), []);
  const before = read('admin.crt');
  assert.deepEqual(await ensurePki({ ...options, nodeIp: '192.0.2.8' }), ['apiserver', 'kubelet']);
  assert.deepEqual(read('admin.crt'), before);
});

/** Who a server with these files says its client is; '' when it does not accept the client's certificate. */
async function clientName(serving: string, authority: string, client: string): Promise<string> {
  const files = { cert: read(`${serving}.crt`), key: read(`${serving}.key`), ca: read(`${authority}.crt`) };
  const server = createServer(
    { ...files, requestCert: true, rejectUnauthorized: false },
    (incoming, response) => {
      const socket = incoming.socket as TLSSocket;
      response.end(socket.authorized ? socket.getPeerCertificate().subject.CN : '');
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own = { cert: read(`${client}.crt`), key: read(`${client}.key`) };
  const ca = [read('ca.crt'), read('kubelet-ca.crt')];
  const said = await new Promise<string>((resolve, reject) => {
    request({ host: '127.0.0.1', port, ca, ...own, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  server.close();
  server.closeAllConnections();
  return said;
}

test('mutual TLS stands on them, towards the API server and towards the kubelet', async () => {
  assert.equal(await clientName('apiserver', 'ca', 'admin'), 'wherry-admin');
  assert.equal(await clientName('apiserver', 'ca', 'kubelet-client'), 'system:node:node-one');
  const expected = 'kube-apiserver-kubelet-client';
  assert.equal(await clientName('kubelet', 'kubelet-ca', 'apiserver-kubelet-client'), expected);
});

test('what kubelets, extension servers and the API server show each other opens nothing at the API server', async () => {
  assert.equal(await clientName('apiserver', 'ca', 'front-proxy-client'), '');
  assert.equal(await clientName('kubelet', 'kubelet-ca', 'front-proxy-client'), '');
  assert.equal(await clientName('apiserver', 'ca', 'apiserver-kubelet-client'), '');
  assert.equal(await clientName('apiserver', 'ca', 'kubelet'), '');
  assert.equal(await clientName('kubelet', 'kubelet-ca', 'admin'), '');
});

test('a folder of the time of one authority gets the second, and anew only what that signs', async () => {
  await ensurePki(options);
  const names = ['ca', 'admin', 'apiserver', 'kubelet-client', 'controller-manager', 'scheduler'];
  const kept = () => names.map((name) => read(`${name}.crt`).toString());
  const before = kept();
  // As it was: one authority, the API server towards kubelets a member of system:masters.
  const plan = { authority: 'ca', commonName: 'kube-apiserver-kubelet-client' } as const;
  const old = [
    { ...plan, file: 'apiserver-kubelet-client', organization: 'system:masters', usage: 'client' },
    { ...plan, file: 'kubelet', commonName: 'system:node:node-one', usage: 'server' },
  ] as const;
  await issueCertificates(paths, [...old]);
  rmSync(join(pkiDir, 'kubelet-ca.crt'));
  assert.deepEqual((await ensurePki(options)).sort(), ['apiserver-kubelet-client', 'kubelet']);
  assert.deepEqual(await ensurePki(options), []);
  assert.equal(
    new X509Certificate(read('apiserver-kubelet-client.crt')).subject,
    'CN=kube-apiserver-kubelet-client',
  );
  assert.deepEqual(kept(), before);
});
