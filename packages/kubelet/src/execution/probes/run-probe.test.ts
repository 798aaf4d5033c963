import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import type { CriClient } from '@wherry/cri';
import { container } from '../../../test/builders.ts';
import { runProbe } from './run-probe.ts';

test("an exec probe's command is expanded by what the container's spec says", async () => {
  const asked: string[][] = [];
  const runtime = {
    execSync: async ({ cmd = [] }: { cmd?: string[] }) => {
      asked.push(cmd);
      return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0 };
    },
  } as unknown as CriClient['runtime'];
  const env = [
    { name: 'PORT', value: '8080' },
    { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ];
  const command = ['check', ':$(PORT)', '$(NODE)', '$(NONE)', '$$(PORT)'];
  const context = {
    runtime,
    container: container('a', { env }),
    containerId: 'id',
    podIp: '10.0.0.1',
    clock: new FakeClock(),
  };
  await runProbe({ exec: { command } }, context);
  assert.deepEqual(asked, [['check', ':8080', '', '$(NONE)', '$(PORT)']]);
});
