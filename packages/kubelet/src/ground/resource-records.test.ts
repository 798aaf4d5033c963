import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Logger } from '@wherry/telemetry';
import { checksumOf, ResourceRecords } from './resource-records.ts';

function recordingLogger() {
  const warnings: string[] = [];
  const logger = { warn: (text: string) => void warnings.push(text) } as unknown as Logger;
  return { logger, warnings };
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wherry-records-'));
});
after(() => rm(folder, { recursive: true }));

test('what pods were given is there after a restart, and is forgotten with the pod', async () => {
  const path = join(folder, 'kept');
  const { logger } = recordingLogger();
  const records = new ResourceRecords(path, logger);
  records.setContainer('one', 'main', { requests: { cpu: '1' } });
  records.setPod('one', { limits: { memory: '1Gi' } });
  records.setContainer('two', 'main', {});
  await records.written();
  const again = new ResourceRecords(path, logger);
  assert.deepEqual(again.of('one'), {
    pod: { limits: { memory: '1Gi' } },
    containers: new Map([['main', { requests: { cpu: '1' } }]]),
  });
  again.keep((uid) => uid === 'two');
  await again.written();
  assert.equal(new ResourceRecords(path, logger).of('one'), undefined);
  assert.ok(new ResourceRecords(path, logger).of('two'));
});

test('the checksum of upstream’s own example is upstream’s', () => {
  const data =
    '{"entries":{"pod1":{"ContainerResources":{"container1":{"requests":{"cpu":"1Ki","memory":"1Ki"}}}}}}';
  assert.equal(checksumOf(data), 1178570812);
});

test('a file that was cut off is said and begun anew', async () => {
  const path = join(folder, 'cut');
  const { logger, warnings } = recordingLogger();
  const records = new ResourceRecords(path, logger);
  records.setContainer('one', 'main', {});
  await records.written();
  const whole = await readFile(path, 'utf8');
  for (const broken of [whole.slice(0, 20), whole.replace('main', 'mine')]) {
    await writeFile(path, broken);
    assert.equal(new ResourceRecords(path, logger).of('one'), undefined);
  }
  assert.equal(warnings.length, 2);
});

test('what many pods are given at once is written once, and is there for each that waited for it', async () => {
  const path = join(folder, 'many');
  const { logger } = recordingLogger();
  const records = new ResourceRecords(path, logger);
  const files = new Set<number>();
  const give = async (uid: string) => {
    await Promise.resolve();
    records.setPod(uid, undefined);
    records.setContainer(uid, 'main', {});
    await records.written();
    files.add(statSync(path).ino);
    assert.ok(new ResourceRecords(path, logger).of(uid));
  };
  await Promise.all(Array.from({ length: 50 }, (_, index) => give(`pod-${index}`)));
  assert.equal(files.size, 1);
});
