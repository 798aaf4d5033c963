import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readClaimCheckpoint, writeClaimCheckpoint } from './claim-checkpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'claim-checkpoint-'));
const path = join(folder, 'record');
after(() => rmSync(folder, { recursive: true }));

/** As upstream's kubelet 1.36 writes it. */
const upstream =
  '{"Data":"{\\"kind\\":\\"DRACheckpoint\\",\\"apiVersion\\":\\"checkpoint.dra.kubelet.k8s.io/v1\\",\\"ClaimInfoStateList\\":[{\\"ClaimUID\\":\\"067798be-454e-4be4-9047-1aa06aea63f7\\",\\"ClaimName\\":\\"example\\",\\"Namespace\\":\\"default\\",\\"PodUIDs\\":{\\"139cdb46-f989-4f17-9561-ca10cfb509a6\\":{}},\\"DriverState\\":{\\"test-driver.cdi.k8s.io\\":{\\"Devices\\":[{\\"PoolName\\":\\"worker-1\\",\\"DeviceName\\":\\"dev-1\\",\\"ShareID\\":null,\\"RequestNames\\":[\\"test request\\"],\\"CDIDeviceIDs\\":[\\"example.com/example=cdi-example\\"]}]}}}]}","Checksum":2570581864}';

test("upstream's record of claims is read, and written as it is, byte for byte", () => {
  writeFileSync(path, upstream);
  const [claim] = readClaimCheckpoint(path);
  assert.equal(claim?.devices.get('test-driver.cdi.k8s.io')?.[0]?.deviceName, 'dev-1');
  writeClaimCheckpoint(path, [claim]);
  assert.equal(readFileSync(path, 'utf8'), upstream);
});

test('a record of claims that is not there is none', () => {
  assert.deepEqual(readClaimCheckpoint(join(folder, 'absent')), []);
});
