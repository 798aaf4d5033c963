import 'reflect-metadata';
import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { silentLogger } from '@wherry/telemetry';
import { startKubelet } from '../src/index.ts';
import { MemoryRuntime } from './memory-runtime.ts';

const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const trustedBefore = getCACertificates('default');

interface Authority {
  cert: string;
  client: { cert: string; key: string };
}

let folder: string;
let known: Authority;
let stranger: Authority;

before(async () => {
  cryptoProvider.set(webcrypto);
  folder = await mkdtemp(join(tmpdir(), 'kubelet-certificates-'));
  [known, stranger] = await Promise.all([authority('known'), authority('stranger')]);
  // As a public authority is trusted by every Node: anyone may get a certificate from it.
  setDefaultCACertificates([...trustedBefore, stranger.cert]);
});
after(async () => {
  setDefaultCACertificates(trustedBefore);
  await rm(folder, { recursive: true, force: true });
});

/** An authority that has signed a certificate of an administrator. */
async function authority(name: string): Promise<Authority> {
  const generate = () => webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const [keys, clientKeys] = await Promise.all([generate(), generate()]);
  const issuer = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm,
    extensions: [new BasicConstraintsExtension(true)],
  });
  const client = await X509CertificateGenerator.create({
    subject: 'CN=admin,O=system:masters',
    issuer: issuer.subject,
    publicKey: clientKeys.publicKey,
    signingKey: keys.privateKey,
    signingAlgorithm,
    extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', clientKeys.privateKey));
  const keyPem = `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { cert: issuer.toString('pem'), client: { cert: client.toString('pem'), key: keyPem } };
}

/** The status of /pods for the holder of a client certificate. */
function ask(port: number, client: { cert: string; key: string }): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, path: '/pods', ...client, rejectUnauthorized: false, agent: false };
    https
      .get(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .once('error', reject);
  });
}

const cases: [what: string, clientCa: boolean, who: () => Authority, status: number][] = [
  ['without a client authority no certificate is an identity', false, () => stranger, 401],
  ['with one, its certificates are', true, () => known, 200],
  ['with one, those of other trusted authorities are none', true, () => stranger, 401],
];
for (const [what, withAuthority, who, status] of cases) {
  test(what, async () => {
    const runtime = new MemoryRuntime({ events: true });
    const socket = join(folder, `${status}-${withAuthority}.sock`);
    await runtime.listen(socket);
    const clientCAFile = join(folder, 'ca.crt');
    await writeFile(clientCAFile, known.cert);
    const starting = startKubelet({
      rootDir: join(folder, 'root'),
      hostnameOverride: 'n1',
      nodeIp: '192.0.2.1',
      logger: silentLogger,
      configuration: {
        ...{ address: '127.0.0.1', port: 0, healthzPort: 0 },
        authentication: {
          anonymous: { enabled: false },
          webhook: { enabled: false },
          x509: withAuthority ? { clientCAFile } : {},
        },
        authorization: { mode: 'AlwaysAllow' },
        containerRuntimeEndpoint: `unix://${socket}`,
        podLogsDir: join(folder, 'logs'),
        ...{ cgroupDriver: 'systemd', resolvConf: '', failSwapOn: false, failCgroupV1: false },
      },
    });
    try {
      const kubelet = await starting;
      try {
        assert.equal(await ask(kubelet.port, who().client), status);
      } finally {
        await kubelet.close();
      }
    } finally {
      await runtime.close();
    }
  });
}
