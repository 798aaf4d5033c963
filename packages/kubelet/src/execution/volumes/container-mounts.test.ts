import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FakeClock } from '@wherry/clock';
import { container, pod } from '../../../test/builders.ts';
import { NodePaths } from '../../ground/node-paths.ts';
import type { RuntimeClasses } from '../sandbox/runtime-classes.ts';
import { ContainerMounts } from './container-mounts.ts';

test('paths inside a container are below its root, however a pod writes them', async (context) => {
  const rootDir = mkdtempSync(join(tmpdir(), 'kubelet-mounts-'));
  context.after(() => rmSync(rootDir, { recursive: true }));
  const paths = new NodePaths({ rootDir, podLogsDir: '' });
  mkdirSync(paths.podDir('uid-1'), { recursive: true });
  const mounts = new ContainerMounts({
    ...{ paths, clusterDomain: 'cluster.local', clock: new FakeClock() },
    classes: {} as RuntimeClasses,
  });
  const placesOf = async (terminationMessagePath: string, mountPath: string) => {
    const one = container('a', { terminationMessagePath, volumeMounts: [{ name: 'v', mountPath }] });
    const prepared = await mounts.prepare({
      ...{ pod: pod({ containers: [one] }), target: { kind: 'regular', container: one } },
      ...{
        volumes: new Map([['v', { hostPath: rootDir, readOnly: false }]]),
        environment: [],
        podIps: ['10.0.0.1'],
      },
    });
    return prepared.map(({ containerPath }) => containerPath);
  };
  assert.deepEqual(await placesOf('tmp/message', 'data'), ['/data', '/etc/hosts', '/tmp/message']);
  assert.deepEqual(await placesOf('data', '/data/'), ['/data/', '/etc/hosts'], 'it is the pod’s own');
  assert.deepEqual(await placesOf('', 'etc/hosts'), ['/etc/hosts']);
});
