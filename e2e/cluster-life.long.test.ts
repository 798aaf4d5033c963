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
  /** Asks the service from the left machine again and again until `act` is done; answers how often, and what failed. */
  const whileAsked = async (act: () => Promise<void>) => {
    const { spec } = await read<{ spec: { clusterIP: string } }>('service web');
    const ask = `timeout 3 wget -qO- http://${spec.clusterIP}/cgi-bin/who >/dev/null || echo failed; echo asked`;
    const line = `rm -f /tmp/end; until [ -e /tmp/end ]; do ${ask}; sleep 0.1; done`;
    const asking = `(${line}) > /tmp/asked 2>&1 &`;
    await machines.cluster.kubectlOk(['exec', 'asker', '--', 'sh', '-c', asking]);
    await act();
    await canBeAsked('asker');
    const words = ['exec', 'asker', '--', 'sh', '-c', 'touch /tmp/end; sleep 1; cat /tmp/asked'];
    const said = (await machines.cluster.kubectlOk(words)).trim().split('\n');
    assert.ok(said.filter((word) => word === 'asked').length > 10, said.join(' '));
    return said.filter((word) => word !== 'asked');
  };

  before(async () => {
    machines = await Machines.start({ nodes: ['left', 'right'], findsAddresses: true });
    left = machines.node('left');
    right = machines.node('right');
    await apply(
      workload('Deployment', 'web', { replicas: 2 }, spread('web')),
      service('web'),
      scriptPod('asker', 'sleep 100000', keptOn('left')),
      scriptPod('kept', counting, keptOn('right')),
      scriptPod('on-host', 'sleep 100000', { ...keptOn('right'), hostNetwork: true }),
    );
    await ok('wait --for=condition=Ready pod --all --timeout=60s');
    for (const name of ['asker', 'kept']) await canBeAsked(name);
  });
  after(() => machines?.remove());

  it('goes on while every process of its nodes is ended and started, again and again', async () => {
    const containers = await containerIds();
    const failed = await whileAsked(async () => {
      for (const signal of ['SIGKILL', 'SIGTERM'] as const)
        for (const role of ['monitor', 'runtime', 'network', 'kubelet']) {
          for (const machine of [left, right]) await machine.restart(role, signal);
          await untilReady();
        }
    });
    assert.deepEqual(failed, []);
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
    const failed = await whileAsked(async () => {
      await machines.readdress('right', 33);
      await eventually(
        'the node to tell it',
        async () =>
          (await read<Node>('node right')).status?.addresses?.some(
            ({ address }) => address === right.address,
          ),
        backMs,
      );
    });
    // A request that was on its way to the other machine may be lost.
    assert.ok(failed.length <= 3, failed.join());
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
    assert.equal((await containerOf('kept'))?.containerID, before?.containerID);
  });

  it('makes a sandbox anew whose network namespace somebody unmounted, once a container is to start there', async () => {
    const before = await pod('kept');
    const cri = createCriClient(right.at('cri.sock'));
    try {
      const labelSelector = { 'io.kubernetes.pod.name': 'kept' };
      const { items } = await cri.runtime.listPodSandbox({ filter: { labelSelector } });
      await right.runOk(['umount', right.at(`runtime/sandboxes/${items[0]?.id}/ns/net`)]);
    } finally {
      cri.close();
    }
    assert.equal(await ok('exec kept -- echo here'), 'here\n');
    await ok('exec kept -- kill -9 -1');
    await eventually('the pod to run', async () => {
      const { status } = await pod('kept');
      return status?.podIP !== before.status?.podIP && status?.containerStatuses?.[0]?.ready;
    });
    const { spec } = await read<{ spec: { clusterIP: string } }>('service web');
    assert.match(await ok(`exec kept -- wget -qO- http://${spec.clusterIP}/cgi-bin/who`), /^web-/);
  });
});
