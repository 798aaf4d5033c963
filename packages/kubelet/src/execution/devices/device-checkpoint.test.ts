import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readDeviceCheckpoint, writeDeviceCheckpoint } from './device-checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'device-checkpoint-'));
const path = join(folder, 'record');
after(() => rmSync(folder, { recursive: true }));

/** As upstream's kubelet 1.36 writes it. */
const upstream = {
  Data: {
    PodDeviceEntries: [
      {
        PodUID: 'u-1',
        ContainerName: 'main',
        ResourceName: 'example.com/gpu',
        DeviceIDs: { '-1': ['x'], '0': ['a', 'b'], '10': ['c'], '2': ['d'] },
        AllocResp: 'CgoKBE5BTUUSAsOpGhQKBi9kZXYvYRIGL2Rldi9iGgJydw==',
      },
    ],
    RegisteredDevices: { 'example.com/gpu': ['b', 'a'] },
  },
  Checksum: 2_568_420_828,
};

test("upstream's record of devices is read, and written as it is", () => {
  writeFileSync(path, JSON.stringify(upstream));
  const record = readDeviceCheckpoint(path);
  const [entry] = record?.grants ?? [];
  assert.deepEqual([...(entry?.grant.idsByNode.get(0) ?? [])], ['a', 'b']);
  assert.deepEqual(entry?.grant.response.envs, { NAME: 'é' });
  assert.ok(record);
  writeDeviceCheckpoint(path, record);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), upstream);
});

test('a record that was changed by hand is refused, and one that is not there is none', () => {
  const changed = { ...upstream, Data: { ...upstream.Data, RegisteredDevices: {} } };
  writeFileSync(path, JSON.stringify(changed));
  assert.throws(() => readDeviceCheckpoint(path), /checkpoint is corrupted/);
  assert.equal(readDeviceCheckpoint(join(folder, 'absent')), undefined);
});
