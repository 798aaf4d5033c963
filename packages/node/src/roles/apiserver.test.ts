import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { breakableDisk } from '../../../apiserver/test/small-disk.ts';
import { TestServer } from '../../../apiserver/test/test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

it('wherry apiserver ends with a message and exit code 74 when its disk fails', async (test) => {
  const disk = breakableDisk(test);
  // For its certificates, and as the one that asks.
  const server = await TestServer.start();
  test.after(() => server.close());
  const { options } = server;
  const flags = {
    'data-dir': join(disk.folder, 'data'),
    'bind-address': '127.0.0.1',
    'secure-port': '0',
    'tls-cert-file': options.tlsCertFile,
    'tls-private-key-file': options.tlsPrivateKeyFile,
    'client-ca-file': options.clientCaFile,
    'service-account-signing-key-file': options.serviceAccountSigningKeyFile,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [main, 'apiserver', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk));
  const ended = once(child, 'exit');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  let url: string | undefined;
  while (!url && !isOver()) {
    await delay(20);
    url = /url=(\S+)/.exec(log)?.[1];
  }
  assert.ok(url, log);
  Object.defineProperty(server.apiserver, 'url', { value: url });
  disk.fill();
  const data = { padding: 'x'.repeat(50_000) };
  for (let index = 0; !isOver(); index++) {
    const body = { metadata: { name: `c-${index}` }, data };
    const answer = await server
      .request('POST', '/api/v1/namespaces/default/configmaps', { body })
      .catch(() => undefined);
    if (answer?.status !== 201) break;
  }
  const [exitCode] = await ended;
  assert.equal(exitCode, 74, log);
  const lastLine = log.trimEnd().split('\n').at(-1) ?? '';
  assert.match(lastLine, / error apiserver "ended, since nothing more can be stored".*state\.db/);
});
