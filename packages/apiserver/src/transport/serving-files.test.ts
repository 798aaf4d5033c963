import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import { MetricsRegistry, silentLogger } from '@wherry/telemetry';
import { type Credentials, TestAuthority } from '../../test/pki.ts';
import { type FolderOptions, prepareServer } from '../../test/prepare-server.ts';
import { ClientAuthorities } from '../authentication/client-authorities.ts';
import { periods } from '../limits.ts';
import type { ApiserverOptions } from '../options.ts';
import { SecureServer } from './secure-server.ts';

let folder: string;
let authority: TestAuthority;
let admin: Credentials;
let options: FolderOptions;
let clock: FakeClock;
let server: SecureServer;
let authorities = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-serving-'));
  ({ authority, admin, options } = await prepareServer(folder));
  await serve({});
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A server that says whether it knows who asks. */
async function serve(more: Partial<ApiserverOptions>): Promise<void> {
  clock = new FakeClock();
  authorities = 0;
  const clients = new ClientAuthorities();
  const isKnown = ({ socket }: IncomingMessage) => String(clients.isOfClient(socket as TLSSocket));
  server = new SecureServer(
    { ...options, ...more },
    {
      ...{
        clock,
        logger: silentLogger,
        metrics: new MetricsRegistry(),
        authorities: clients,
      },
      crossOrigins: undefined,
      handlers: {
        handleRequest: (request, response) => void response.end(isKnown(request)),
        handleUpgrade: (_request, socket) => socket.destroy(),
        isElsewhere: () => false,
      },
      onAuthority: () => {
        authorities += 1;
      },
    },
  );
  await server.listen({ host: '127.0.0.1', port: 0 });
}

/** The files are looked at, and read. */
async function look(): Promise<void> {
  await clock.advanceAsync(periods.configurationFileMs);
  await delay(50);
}

const shown = (
  more: ConnectionOptions = {},
): Promise<{ name: string; protocol: string | null; cipher: string }> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port: server.port!, host: '127.0.0.1', ca: authority.cert, ...more });
    socket.on('error', reject);
    socket.on('secureConnect', () => {
      const { subject } = socket.getPeerCertificate();
      resolve({ name: String(subject.CN), protocol: socket.getProtocol(), cipher: socket.getCipher().name });
      socket.destroy();
    });
  });

const ask = (agent: Agent | undefined): Promise<string> =>
  new Promise((resolve, reject) => {
    get(
      { port: server.port!, host: '127.0.0.1', ca: authority.cert, ...admin, ...(agent && { agent }) },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve(text));
      },
    ).on('error', reject);
  });

test('a certificate that is replaced is shown to who connects from then on; a pair that does not fit is not', async () => {
  assert.equal((await shown()).name, 'apiserver');
  const next = await authority.issue({ name: 'renewed', hosts: ['127.0.0.1'] });
  writeFileSync(options.tlsCertFile, next.cert);
  await look();
  assert.equal((await shown()).name, 'apiserver', 'its key is not there yet');
  writeFileSync(options.tlsPrivateKeyFile, next.key);
  await look();
  assert.equal((await shown()).name, 'renewed');
  assert.equal(authorities, 0);
});

test('who was known by an authority that is trusted no more is not known any more, on kept connections neither', async () => {
  const agent = new Agent({ keepAlive: true });
  assert.equal(await ask(agent), 'true');
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: authority.cert, ...admin });
  const told = Promise.withResolvers<void>();
  session.on('goaway', () => told.resolve());
  await new Promise((resolve) => session.once('remoteSettings', resolve));
  const other = await TestAuthority.create('other');
  writeFileSync(options.clientCaFile, other.cert);
  await look();
  await told.promise;
  assert.equal(authorities, 1);
  assert.equal(await ask(agent), 'false');
  writeFileSync(options.clientCaFile, `${other.cert}\n${authority.cert}`);
  await look();
  assert.equal(await ask(agent), 'true');
  agent.destroy();
});

test('where no authority of clients is named no certificate is a client’s: not one that a proxy could show either', async () => {
  const ofProxies = {
    requestheaderClientCaFile: options.clientCaFile,
    requestheaderUsernameHeaders: ['X-Remote-User'],
  };
  for (const more of [{}, ofProxies]) {
    await server.close();
    await serve({ clientCaFile: undefined, ...more });
    assert.equal(await ask(undefined), 'false');
  }
});

test('versions and suites of TLS are those that the flags name', async () => {
  await server.close();
  await serve({ tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] });
  const old = { maxVersion: 'TLSv1.2' } as const;
  assert.equal((await shown(old)).cipher, 'ECDHE-ECDSA-AES256-GCM-SHA384');
  await assert.rejects(shown({ ...old, ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }));
  assert.equal((await shown()).protocol, 'TLSv1.3');
  await server.close();
  await serve({ tlsMinVersion: 'VersionTLS13' });
  await assert.rejects(shown(old));
});

test('who says a name is shown the certificate for it, also one that is replaced', async () => {
  const write = async (name: string, hosts: string[]) => {
    const { cert, key } = await authority.issue({ name, hosts });
    writeFileSync(join(folder, 'named.crt'), cert);
    writeFileSync(join(folder, 'named.key'), key);
  };
  await write('named', ['a.example.com']);
  await server.close();
  const pair = { certFile: join(folder, 'named.crt'), keyFile: join(folder, 'named.key') };
  await serve({ tlsSniCertKeys: [{ ...pair, names: ['*.example.org'] }] });
  const by = async (servername: string) =>
    (await shown({ servername, checkServerIdentity: () => undefined })).name;
  assert.equal(await by('b.example.org'), 'named');
  assert.equal(await by('a.example.com'), 'named');
  assert.equal(await by('b.example.com'), 'apiserver');
  await write('renewed', ['c.example.com']);
  await look();
  assert.equal(await by('b.example.org'), 'renewed');
  assert.equal(await by('a.example.com'), 'apiserver');
  assert.equal(authorities, 0);
  writeFileSync(pair.certFile, 'nothing');
  await look();
  assert.equal(await by('b.example.org'), 'renewed');
  await server.close();
  await assert.rejects(serve({ tlsSniCertKeys: [pair] }), /named\.crt" with the key ".*named\.key"/);
  await serve({});
});
