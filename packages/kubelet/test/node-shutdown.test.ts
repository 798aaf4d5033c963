import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Pod } from '@wherry/kubeapi';
import { FakeLogind, withoutLogind } from './fake-logind.ts';
import { conditionOf, until, withNode } from './node-bench.ts';

function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = https.get({ port, path, rejectUnauthorized: false, agent: false }, async (response) => {
      resolve((await response.toArray()).join(''));
    });
    request.once('error', reject);
  });
}

async function statusOf(port: number, name: string): Promise<Pod['status']> {
  const { items } = JSON.parse(await ask(port, '/pods')) as { items: Pod[] };
  return items.find(({ metadata }) => metadata.name === name)?.status;
}

test('a machine that shuts down waits until the pods have ended, and takes no new ones until that is cancelled', {
  skip: withoutLogind(),
}, async (t) => {
  await using logind = await FakeLogind.start({ delaySeconds: 60 });
  process.env['DBUS_SYSTEM_BUS_ADDRESS'] = logind.busAddress;
  const manifests = await mkdtemp(join(tmpdir(), 'kubelet-manifests-'));
  t.after(() => {
    delete process.env['DBUS_SYSTEM_BUS_ADDRESS'];
    return rm(manifests, { recursive: true });
  });
  const manifest = (name: string) =>
    writeFile(
      join(manifests, `${name}.yaml`),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      }),
    );
  await manifest('first');
  const configuration = {
    shutdownGracePeriodByPodPriority: [{ priority: 0, shutdownGracePeriodSeconds: 30 }],
    staticPodPath: manifests,
    fileCheckFrequency: '1s',
    evictionHard: {},
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
  };
  await withNode(configuration, async (nodes, { port, folder }) => {
    await logind.said(/^locked shutdown kubelet delay$/);
    await until(async () => (await statusOf(port, 'first-n1'))?.phase === 'Running');
    logind.announce('shutdown');
    await logind.said(/^released, 0 left$/);
    const first = await statusOf(port, 'first-n1');
    const words = 'Pod was terminated in response to imminent node shutdown.';
    assert.deepEqual([first?.phase, first?.reason, first?.message], ['Failed', 'Terminated', words]);
    const disruption = first?.conditions?.find(({ type }) => type === 'DisruptionTarget');
    assert.deepEqual([disruption?.reason, disruption?.message], ['TerminationByKubelet', words]);
    await until(() => conditionOf(nodes.at(-1), 'Ready')?.status === 'False');
    const { reason, message } = conditionOf(nodes.at(-1), 'Ready') ?? {};
    assert.deepEqual([reason, message], ['KubeletNotReady', 'node is shutting down']);
    await manifest('second');
    await until(async () => (await statusOf(port, 'second-n1')) !== undefined);
    const second = await statusOf(port, 'second-n1');
    assert.deepEqual(
      [second?.phase, second?.reason, second?.message],
      ['Failed', 'NodeShutdown', 'Pod was rejected: Pod was rejected as the node is shutting down.'],
    );
    assert.match(await ask(port, '/metrics'), /^kubelet_graceful_shutdown_end_time_seconds [1-9]/m);
    const state = await readFile(join(folder, 'root/graceful_node_shutdown_state'), 'utf8');
    assert.deepEqual(Object.keys(JSON.parse(state)), ['startTime', 'endTime']);
    logind.announce('cancel');
    await logind.said(/^locked/, 2);
    await until(() => conditionOf(nodes.at(-1), 'Ready')?.status === 'True');
    assert.equal(conditionOf(nodes.at(-1), 'Ready')?.status, 'True');
  });
  await logind.said(/^released, 0 left$/, 2);
});
