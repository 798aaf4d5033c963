import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { CriError } from '@wherry/cri/grpc';
import { MetricsRegistry } from '@wherry/telemetry';
import type { CsiNodeService } from './csi/csi-drivers.ts';
import { csiFigures, measuredNode } from './csi-figures.ts';

test('calls of a CSI driver are timed by its name, the method and how they ended', async () => {
  const clock = new FakeClock();
  const metrics = new MetricsRegistry();
  const node = {
    async nodeStageVolume() {
      await clock.advanceAsync(400);
      return {};
    },
    nodePublishVolume: () => Promise.reject(new CriError('RESOURCE_EXHAUSTED', 'it is full')),
  } as unknown as CsiNodeService;
  const measured = measuredNode(node, 'a.example', csiFigures(metrics, clock));
  await measured.nodeStageVolume({});
  await assert.rejects(measured.nodePublishVolume({}), /it is full/);
  const counted = metrics.render().match(/(?<=^csi_operations_seconds_(?:sum|count)).*$/gm);
  const labels = (method: string, code: string) =>
    `{driver_name="a.example",method_name="/csi.v1.Node/${method}",grpc_status_code="${code}",migrated="false"}`;
  assert.deepEqual(counted, [
    `${labels('NodeStageVolume', 'OK')} 0.4`,
    `${labels('NodeStageVolume', 'OK')} 1`,
    `${labels('NodePublishVolume', 'ResourceExhausted')} 0`,
    `${labels('NodePublishVolume', 'ResourceExhausted')} 1`,
  ]);
});
