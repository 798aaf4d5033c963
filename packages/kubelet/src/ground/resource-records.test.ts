import assert from 'node:assert/strict';
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

test('what pods were given is there after a restart, and is forgotten with the pod', () => {
  const path = join(folder, 'kept');
  const { logger } = recordingLogger();
  const records = new ResourceRecords(path, logger);
  records.setContainer('one', 'main', { requests: { cpu: '1' } });
  records.setPod('one', { limits: { memory: '1Gi' } });
  records.setContainer('two', 'main', {});
  const again = new ResourceRecords(path, logger);
  assert.deepEqual(again.of('one'), {
    pod: { limits: { memory: '1Gi' } },
    containers: new Map([['main', { requests: { cpu: '1' } }]]),
  });
  again.keep((uid) => uid === 'two');
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
  new ResourceRecords(path, logger).setContainer('one', 'main', {});
  const whole = await readFile(path, 'utf8');
  for (const broken of [whole.slice(0, 20), whole.replace('main', 'mine')]) {
    await writeFile(path, broken);
    assert.equal(new ResourceRecords(path, logger).of('one'), undefined);
  }
  assert.equal(warnings.length, 2);
});
