import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { createLogger, MetricsRegistry } from '@wherry/telemetry';
import { provider, writeEncryption } from '../../test/test-encryption.ts';
import { TestKms } from '../../test/test-kms.ts';
import { periods } from '../limits.ts';
import { EncryptionFile } from './encryption-file.ts';

const place = { key: '/secrets/default/a', storedKey: '/registry/secrets/default/a' };

it('a changed file is followed to a program that keeps keys once that is well, and back', async (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-encryption-file-'));
  const kms = await TestKms.start();
  const clock = new FakeClock();
  const told: string[] = [];
  const logger = createLogger('apiserver', { level: 'info', write: (line) => void told.push(line) });
  const path = join(folder, 'encryption.yaml');
  const fromFile = provider('secretbox', { key: 1 });
  writeEncryption(path, [fromFile]);
  const file = await EncryptionFile.open(path, { clock, logger, metrics: new MetricsRegistry() });
  test.after(async () => {
    file.close();
    await kms.close();
    rmSync(folder, { recursive: true });
  });
  file.follow();
  const prefix = () => file.encryption.seal('{}', place)?.prefix;
  const until = async (holds: () => boolean) => {
    for (let attempt = 0; attempt < 500 && !holds(); attempt += 1) await delay(10);
    assert.ok(holds(), told.join('\n'));
  };
  const says = (text: string, count: number) => () =>
    told.filter((line) => line.includes(text)).length === count;

  kms.healthz = 'bad';
  writeEncryption(path, [kms.provider(), fromFile]);
  const { length } = kms.asked;
  clock.advance(periods.encryptionFileMs);
  await until(() => kms.asked.length > length + 1);
  await delay(50);
  clock.advance(periods.kmsStartMs);
  await until(says('KMS providers are not well', 1));
  assert.deepEqual([prefix(), file.areProvidersWell], ['k8s:enc:secretbox:v1:key:', undefined]);

  kms.healthz = 'ok';
  const { generation } = file.encryption;
  clock.advance(periods.encryptionFileMs);
  await until(says('follows its changed file', 1));
  assert.deepEqual([prefix(), file.areProvidersWell], ['k8s:enc:kms:v2:test:', true]);
  assert.ok(file.encryption.generation > generation);

  writeEncryption(path, [fromFile, kms.provider('other')]);
  clock.advance(periods.encryptionFileMs);
  await until(says('follows its changed file', 2));
  assert.equal(prefix(), 'k8s:enc:secretbox:v1:key:');
});
