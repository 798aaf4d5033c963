import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestServer } from '../../../apiserver/test/test-server.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** Runs one of them with these flags, and waits for its end. */
async function ended(
  test: TestContext,
  flags: object,
  role = 'controllers',
): Promise<{ exitCode: unknown; log: string }> {
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [main, role, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  test.after(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk));
  const [exitCode] = await once(child, 'close');
  return { exitCode, log };
}

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
    const { exitCode, log } = await ended(test, { ...flags, 'secure-port': port });
    assert.equal(exitCode, 1, log);
    assert.match(log, /^error: --controllers: "scheduler" is not in the list of known controllers: /m);
  }
});

it('wherry controllers ends when the port of its scheduler is taken, though it would serve that of the others', async (test) => {
  const server = await TestServer.start();
  test.after(() => server.close());
  const taken = createServer().listen(0, '127.0.0.1');
  test.after(() => taken.close());
  await once(taken, 'listening');
  const { kubeconfig, options } = server;
  const flags = {
    ...{ kubeconfig, 'bind-address': '127.0.0.1', 'root-ca-file': options.clientCaFile },
    ...{ 'tls-cert-file': options.tlsCertFile, 'tls-private-key-file': options.tlsPrivateKeyFile },
    ...{ 'secure-port': '17260', 'scheduler-secure-port': String((taken.address() as AddressInfo).port) },
  };
  const { exitCode, log } = await ended(test, flags);
  assert.equal(exitCode, 1, log);
  assert.match(log, /EADDRINUSE/);
});

it('wherry controllers and wherry scheduler take a gate at its default, and refuse another by name', async (test) => {
  const files = { kubeconfig: '/no/kubeconfig', 'root-ca-file': '/no/ca.crt' };
  for (const role of ['controllers', 'scheduler']) {
    const flags = role === 'controllers' ? files : { kubeconfig: files.kubeconfig };
    const refused = await ended(test, { ...flags, 'feature-gates': 'AllAlpha=true' }, role);
    assert.equal(refused.exitCode, 1, refused.log);
    assert.match(refused.log, /^error: --feature-gates: .*can not switch AllAlpha to true/m);
    const taken = await ended(test, { ...flags, 'feature-gates': 'AllAlpha=false' }, role);
    assert.match(taken.log, /\/no\//);
    assert.doesNotMatch(taken.log, /feature-gates/);
  }
});
