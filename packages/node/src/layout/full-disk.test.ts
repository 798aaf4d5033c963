import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fullableDisk } from '../../../apiserver/test/small-disk.ts';
import { NodeError } from '../errors.ts';
import { isFull, keepFile } from './full-disk.ts';
import { layoutOf } from './layout.ts';
import { type NodeRecord, readRecord, writeRecord } from './record.ts';

test('a file of a node that has its content is not written, another is left as it is and named when the disk is full', (context) => {
  const disk = fullableDisk(context, 1);
  const path = join(disk.folder, 'config.yaml');
  keepFile(path, 'as it was\n');
  assert.equal(isFull(disk.folder), false);
  disk.fill();
  assert.equal(isFull(disk.folder), true);
  const { ino } = statSync(path);
  keepFile(path, 'as it was\n');
  assert.equal(statSync(path).ino, ino);
  assert.throws(
    () => keepFile(path, 'changed\n'),
    (error: unknown) =>
      error instanceof NodeError &&
      error.code === 'disk-full' &&
      error.message.startsWith(`"${path}" can't be written, since its disk is full; make room there`),
  );
  assert.equal(readFileSync(path, 'utf8'), 'as it was\n');
  assert.deepEqual(readdirSync(disk.folder).sort(), ['config.yaml', 'filler']);
  disk.empty();
  keepFile(path, 'changed\n');
  assert.equal(readFileSync(path, 'utf8'), 'changed\n');
});

test('the record of a node takes its processes on a full disk', (context) => {
  const disk = fullableDisk(context, 1);
  const layout = layoutOf(join(disk.folder, 'node'));
  mkdirSync(layout.dataDir);
  const record = { version: 1, name: 'n', bootId: 'b', processes: {} } as NodeRecord;
  writeRecord(layout, record);
  disk.fill();
  const identity = { pid: 4_000_000, startTicks: 4_000_000_000 };
  for (const role of ['monitor', 'runtime', 'apiserver', 'controllers', 'network', 'kubelet'] as const) {
    record.processes[role] = identity;
    writeRecord(layout, record);
    assert.deepEqual(readRecord(layout), record);
  }
});
