/** What happens to a cluster over its life: addresses and processes change under pods that run, machines are suspended, mounts are lost. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createCriClient } from '@wherry/cri';
import type { Node, Pod } from '@wherry/kubeapi';
import { Machines } from './machines/cluster.ts';
import { kubectlOf } from './machines/kubectl.ts';
import type { Machine } from './machines/machine.ts';
import { keptOn, service, spread, workload } from './machines/workload.ts';
import { eventually, scriptPod } from './node.ts';
import { stretched } from './slowness.ts';

const counting = 'n=0; while true; do n=$((n+1)); echo $n; sleep 0.5; done';
/** A connection on which nothing passes is found dead after 45 s. */
const backMs = 90_000;

describe('a cluster of two machines', { concurrency: false, timeout: stretched(600_000) }, () => {
  let machines: Machines;
  let left: Machine;
  let right: Machine;

  const { ok, apply, read } = kubectlOf(() => machines.cluster);
  const pod = (name: string) => read<Pod>(`pod ${name}`);
  const containerOf = async (name: string) => (await pod(name)).status?.containerStatuses?.[0];
  const containerIds = async () => {
    const { items } = await read<{ items: Pod[] }>('pods');
    const statuses = items.flatMap(({ status }) => status?.containerStatuses ?? []);
    return statuses.map(({ containerID }) => containerID).sort();
  };
  const untilReady = async () => {
    for (const name of ['left', 'right']) await ok(`wait --for=condition=Ready node/${name} --timeout=60s`);
  };
  /** Approves what was asked for: who signs serving certificates leaves that to people, as upstream. */
  const approve = async () => {
    const names = (await ok('get csr --no-headers')).match(/^node-csr-\S+(?=.*Pending)/gm) ?? [];
    if (names.length > 0) await ok(`certificate approve ${names.join(' ')}`);
  };
  const canBeAsked = (name: string) =>
    eventually(
      `the log of ${name}`,
      async () => {
        await approve();
        return (await machines.cluster.kubectl(['logs', name, '--tail=1'])).code === 0;
      },
      backMs,
    );
  /** Who answers as the service `web`. */
  const ask = async (from: string) => {
    const { spec } = await read<{ spec: { clusterIP: string } }>('service web');
    return ok(`exec ${from} -- timeout 5 wget -qO- http://${spec.clusterIP}/cgi-bin/who`);
  };

  before(async () => {
    machines = await Machines.start({ nodes: ['left', 'right'], findsAddresses: true });
    left = machines.node('left');
    right = machines.node('right');
    await apply(
      // Pods stay where they are, also while a node is not heard of.
      workload('Deployment', 'web', { replicas: 2 }, { ...spread('web'), tolerations: [] }),
      service('web'),
      scriptPod('asker', 'sleep 100000', keptOn('left')),
      scriptPod('kept', counting, keptOn('right')),
      scriptPod('ending', 'echo begun; until [ -e /tmp/end ]; do sleep 0.2; done', keptOn('right')),
      scriptPod('on-host', 'sleep 100000', { ...keptOn('right'), hostNetwork: true }),
    );
    await ok('wait --for=condition=Ready pod --all --timeout=60s');
    for (const name of ['asker', 'kept']) await canBeAsked(name);
  });
  after(() => machines?.remove());

  it('goes on while every process of its nodes is ended and started', async () => {
    const containers = await containerIds();
    for (const role of ['monitor', 'runtime', 'network', 'kubelet']) {
      await left.restart(role, 'SIGKILL');
      await right.restart(role, 'SIGTERM');
    }
    for (const name of ['asker', 'kept']) await canBeAsked(name);
    await untilReady();
    assert.deepEqual(await containerIds(), containers);
    await canBeAsked('kept');
    const lines = (await ok('logs kept')).trim().split('\n');
    assert.deepEqual(
      lines,
      lines.map((_, index) => String(index + 1)),
    );
  });

  it('goes on when all of it has been suspended for a while, as a laptop is', async () => {
    const all = [machines.plane, left, right];
    const kept = await containerOf('kept');
    const line = Number((await ok('logs kept --tail=1')).trim());
    await Promise.all(all.map((machine) => machine.suspend()));
    await delay(15_000);
    await Promise.all(all.map((machine) => machine.resume()));
    await eventually('the API server', async () => {
      return (await machines.cluster.kubectl(['get', '--raw', '/readyz'])).code === 0;
    });
    await untilReady();
    await eventually(
      'the log to go on',
      async () => Number((await ok('logs kept --tail=1')).trim()) > line + 2,
    );
    const now = await containerOf('kept');
    assert.deepEqual([now?.containerID, now?.restartCount], [kept?.containerID, kept?.restartCount]);
    await ok('rollout status deployment/web --timeout=60s');
  });

  it('leads to a node that gets another address, whose pods have it too, and its next certificate', async () => {
    const before = await containerOf('kept');
    const old = right.address;
    await machines.readdress('right', 33);
    await eventually(
      'the node to tell it',
      async () => {
        const { status } = await read<Node>('node right');
        return status?.addresses?.some(({ address }) => address === right.address);
      },
      backMs,
    );
    await canBeAsked('kept');
    assert.equal(await ok('exec kept -- echo here'), 'here\n');
    await eventually(
      'pods to tell it',
      async () => {
        const [kept, onHost] = [(await pod('kept')).status, (await pod('on-host')).status];
        return [kept?.hostIP, onHost?.hostIP, onHost?.podIP].every((ip) => ip === right.address);
      },
      backMs,
    );
    assert.notEqual(right.address, old);
    assert.match(await ask('kept'), /^web-/);
    assert.equal((await containerOf('kept'))?.containerID, before?.containerID);
  });

  it('makes a sandbox anew whose network namespace somebody unmounted, once a container is to start there', async () => {
    await canBeAsked('ending');
    const before = await pod('ending');
    const cri = createCriClient(right.at('cri.sock'));
    try {
      const labelSelector = { 'io.kubernetes.pod.name': 'ending' };
      const { items } = await cri.runtime.listPodSandbox({ filter: { labelSelector } });
      await right.runOk(['umount', right.at(`runtime/sandboxes/${items[0]?.id}/ns/net`)]);
    } finally {
      cri.close();
    }
    await ok('exec ending -- touch /tmp/end');
    await eventually('the pod to run again', async () => {
      const { status } = await pod('ending');
      return status?.podIP !== before.status?.podIP && status?.containerStatuses?.[0]?.ready;
    });
    assert.match(await ask('ending'), /^web-/);
  });
});
