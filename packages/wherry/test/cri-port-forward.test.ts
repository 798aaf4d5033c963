/** `wherry cri port-forward` of several ports. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCriClient } from '@wherry/cri';
import { serveProvider } from '../../pod-provider/src/index.ts';
import { MemoryProvider } from '../../pod-provider/test/memory-provider.ts';
import { inProcess } from './in-process.ts';

async function listening() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('a port that is taken ends the command, whatever others could be listened on', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-cri-forward-'));
  const socketPath = join(folder, 'cri.sock');
  const running = await serveProvider({ provider: new MemoryProvider(), socketPath });
  const client = createCriClient(socketPath);
  const [free, taken] = [await listening(), await listening()];
  context.after(async () => {
    client.close();
    taken.server.close();
    await running.close();
    rmSync(folder, { recursive: true });
  });
  free.server.close();
  const metadata = { name: 'p', uid: 'u', namespace: 'default', attempt: 0 };
  const config = { metadata, logDirectory: folder };
  const { podSandboxId } = await client.runtime.runPodSandbox({ config });
  const ports = [`${free.port}:80`, `${taken.port}:81`];
  const { code, stderr } = await inProcess([
    ...['cri', 'port-forward', '--runtime-endpoint', socketPath, podSandboxId, ...ports],
  ]);
  assert.equal(code, 1);
  assert.match(stderr, /EADDRINUSE/);
  const socket = connect(free.port, '127.0.0.1');
  const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(5_000) });
  assert.equal(error.code, 'ECONNREFUSED');
});
