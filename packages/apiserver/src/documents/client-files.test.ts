import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { type Credentials, TestAuthority } from '../../test/pki.ts';
import { periods } from '../limits.ts';
import { ClientFiles } from './client-files.ts';

async function files(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-client-files-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const authority = await TestAuthority.create('test-ca');
  const [cert, key] = [join(folder, 'client.crt'), join(folder, 'client.key')];
  const write = (credentials: Partial<Credentials>) => {
    if (credentials.cert) writeFileSync(cert, credentials.cert);
    if (credentials.key) writeFileSync(key, credentials.key);
  };
  const first = await authority.issue({ name: 'first' });
  write(first);
  const clock = new FakeClock();
  const followed = new ClientFiles({ cert, key }, { towards: 'others', clock, logger: silentLogger });
  context.after(() => followed.close());
  let changes = 0;
  followed.onChange(() => {
    changes += 1;
  });
  const look = async () => {
    clock.advance(periods.configurationFileMs);
    await delay(50);
  };
  return { authority, first, followed, write, look, changes: () => changes };
}

test('a renewed pair is taken over, half of one is not', async (context) => {
  const { authority, first, followed, write, look, changes } = await files(context);
  const second = await authority.issue({ name: 'second' });
  write({ cert: second.cert });
  await look();
  assert.equal(`${followed.current.cert}`, first.cert);
  write({ key: second.key });
  await look();
  assert.deepEqual(
    [followed.current.cert, followed.current.key, followed.current.ca].map((pem) => pem?.toString()),
    [second.cert, second.key, undefined],
  );
  await look();
  assert.equal(changes(), 1);
});

test('where no files are named nothing is read', () => {
  const clock = new FakeClock();
  const { current } = new ClientFiles({}, { towards: 'others', clock, logger: silentLogger });
  assert.deepEqual(current, { ca: undefined, cert: undefined, key: undefined });
});
