import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { choosePort } from './host-network.ts';

const isNobodys = (port: number) => port >= 20_000 && port < 30_000;

test('any port is one that the kernel gives to nobody who connects, so that it is free at the next start too', async () => {
  assert.ok(isNobodys(await choosePort(0, true, '--api-port')));
});

test('a port that is taken is refused to who asked for it, and another is chosen in place of the usual one', async (t) => {
  const server = createServer().listen(0, '0.0.0.0');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await assert.rejects(choosePort(port, true, '--api-port'), { code: 'port-taken' });
  assert.ok(isNobodys(await choosePort(port, false, '--api-port')));
});
