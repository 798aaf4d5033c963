import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { container, pod, record } from '../../../test/builders.ts';
import { FailureBackoff } from '../../ground/failure-backoff.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import { VolumeError } from '../volumes/volume-manager.ts';
import { ContainerStarter, type ContainerStarterOptions } from './container-starter.ts';

const target = { container: container('a'), kind: 'regular' } as const;
const of = pod({ containers: [target.container] });

for (const [what, settings, code, told] of [
  ['waits for volumes is not told each time that its image is there', {}, 'ContainerCreating', 0],
  [
    'has no configuration is told so',
    { volumes: Promise.resolve(new Map()) },
    'CreateContainerConfigError',
    1,
  ],
] as const) {
  test(`a container that ${what}`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-starter-'));
    context.after(() => rmSync(folder, { recursive: true }));
    let times = 0;
    const starter = new ContainerStarter({
      paths: new NodePaths({ rootDir: folder, podLogsDir: folder }),
      backoff: new FailureBackoff(new FakeClock(), { initialMs: 1, maxMs: 1, resetMs: 1 }),
      images: {
        tellPresent() {
          times += 1;
        },
      },
      recorder: { record() {} },
      devices: { settingsOf: async () => ({}) },
      inputs: {
        async variables(_pod: unknown, _target: unknown, { volumes }: { volumes: Promise<unknown> }) {
          await volumes;
          throw new Error('configmap "nope" not found');
        },
      },
    } as unknown as ContainerStarterOptions);
    const missing = Promise.reject(new VolumeError('secret "nope" not found', 1_000));
    missing.catch(() => {});
    const launch = {
      ...{ pod: of, record: record(of, []), sandboxId: 's', podIps: [], sandbox: {}, volumes: missing },
      ...{ credentials: Promise.resolve({ entries: [] }), signal: new AbortController().signal },
      ...settings,
    };
    const image = { ref: 'i', user: { uid: 0, username: '' }, isUntold: true } as const;
    await assert.rejects(starter.start(launch, target, image), { code });
    assert.equal(times, told);
  });
}
