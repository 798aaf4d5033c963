import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { prepareServer } from '../test/prepare-server.ts';
import { startApiserver } from './apiserver.ts';

it('leaves nothing running where it can not listen', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-apiserver-'));
  test.after(() => rmSync(folder, { recursive: true }));
  const other = createServer().listen(0, '127.0.0.1');
  test.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const clock = new FakeClock();
  const { options } = await prepareServer(folder);
  const start = startApiserver({ ...options, securePort: port, clock, logger: silentLogger });
  await assert.rejects(start, { code: 'EADDRINUSE' });
  assert.equal(clock.pendingTimers, 0);
});
