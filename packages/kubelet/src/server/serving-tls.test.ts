import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { decodeConfiguration } from '../configuration/decode-configuration.ts';
import type { Ground } from '../ground/ground.ts';
import { ServingTls } from './serving-tls.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-serving-'));
const at = (name: string) => join(folder, name);
before(() => {
  for (const name of ['first', 'second']) {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      at(`${name}.key`),
    ];
    execFileSync('openssl', ['req', '-x509', ...key, '-subj', `/CN=${name}`, '-out', at(`${name}.crt`)], {
      stdio: 'ignore',
    });
  }
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Both files of a pair take another's place, or only the certificate. */
function use(name: string, files = ['crt', 'key']): void {
  for (const file of files) writeFileSync(at(`serving.${file}`), readFileSync(at(`${name}.${file}`)));
}

test('another certificate, and another authority of clients, count without a restart; half a pair does not', async () => {
  use('first');
  writeFileSync(at('ca.crt'), readFileSync(at('first.crt')));
  const clock = new FakeClock();
  const { configuration } = decodeConfiguration({
    ...{ tlsCertFile: at('serving.crt'), tlsPrivateKeyFile: at('serving.key') },
    authentication: { x509: { clientCAFile: at('ca.crt') } },
  });
  const ground = { configuration, clock, logger: silentLogger, certDir: folder } as unknown as Ground;
  const serving = await ServingTls.load(ground);
  const server = createServer(
    { ...serving.options, requestCert: true, rejectUnauthorized: false },
    ({ socket }, response) => response.end(String((socket as TLSSocket).authorized)),
  );
  serving.follow(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port, address } = server.address() as AddressInfo;
  assert.ok(isIP(address));
  const kept = new Agent({ keepAlive: true });
  /** Whose certificate is shown, and whether the second's holder is known. */
  const look = (agent: Agent | false = false) =>
    new Promise<string>((resolve, reject) => {
      const own = { cert: readFileSync(at('second.crt')), key: readFileSync(at('second.key')) };
      get({ port, host: address, ...own, rejectUnauthorized: false, agent }, (response) => {
        const shown = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
        response.on('data', (known) => resolve(`${shown} ${known}`));
      }).on('error', reject);
    });
  const lookUntil = async (expected: string) => {
    for (let turn = 0; turn < 100; turn++) {
      await clock.advance(5_000);
      if ((await look()) === expected) return;
    }
    assert.equal(await look(), expected);
  };
  try {
    assert.equal(await look(), 'first false');
    assert.equal(await look(kept), 'first false');
    writeFileSync(at('ca.crt'), readFileSync(at('second.crt')));
    await lookUntil('first true');
    // Who kept a connection is judged anew, too.
    assert.equal(await look(kept), 'first true');
    use('second', ['crt']);
    for (let turn = 0; turn < 3; turn++) await clock.advance(5_000);
    assert.equal(await look(), 'first true');
    use('second', ['key']);
    await lookUntil('second true');
  } finally {
    serving.close();
    kept.destroy();
    server.closeAllConnections();
    server.close();
  }
});
