import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestServer } from '../../../apiserver/test/test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

it('wherry controllers ends when a controller is named that there is not, though it would serve its health', async (test) => {
  // For its certificates, and as whom to ask.
  const server = await TestServer.start();
  test.after(() => server.close());
  const { kubeconfig, options } = server;
  const flags = {
    ...{ kubeconfig, controllers: '*,-scheduler', 'bind-address': '127.0.0.1' },
    'root-ca-file': options.clientCaFile,
    'tls-cert-file': options.tlsCertFile,
    'tls-private-key-file': options.tlsPrivateKeyFile,
  };
  for (const port of ['0', '17259']) {
    const args = Object.entries({ ...flags, 'secure-port': port }).map(
      ([name, value]) => `--${name}=${value}`,
    );
    const child = spawn(process.execPath, [main, 'controllers', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    test.after(() => child.kill('SIGKILL'));
    let log = '';
    child.stderr.on('data', (chunk: Buffer) => (log += chunk));
    const [exitCode] = await once(child, 'close');
    assert.equal(exitCode, 1, log);
    assert.match(log, /^error: --controllers: "scheduler" is not in the list of known controllers: /m);
  }
});
