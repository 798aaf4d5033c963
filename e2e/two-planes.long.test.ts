/** A control plane of two machines on one etcd, of which the one that leads loses its power: the other goes on, and nothing is done twice. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Endpoints, Event, Job, Lease, Pod } from '@wherry/kubeapi';
import { Machines } from './machines/cluster.ts';
import { kubectlOf } from './machines/kubectl.ts';
import type { Machine } from './machines/machine.ts';
import { keptOn, spread, workload } from './machines/workload.ts';
import { eventually, podOf, scriptPod } from './node.ts';
import { stretched } from './slowness.ts';

const completions = 12;
const job = {
  ...{ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'counted' } },
  spec: {
    ...{ completions, parallelism: 3 },
    template: {
      spec: { ...podOf('counted', { command: ['sleep', '1'] }).spec, restartPolicy: 'Never' },
    },
  },
};
/** A lease lasts 15 s; the load of the machine does the rest. */
const passOverMs = 60_000;

describe('two machines of a control plane', { concurrency: false, timeout: stretched(600_000) }, () => {
  let machines: Machines;
  let dead: Machine;
  let alive: Machine;

  const { ok, apply, read } = kubectlOf(() => machines.cluster);
  const web = async () => (await read<{ items: Pod[] }>('pods -l app=web')).items;
  /** How many pods controllers of a kind say to have made. */
  const made = async (kind: string) => {
    const { items } = await read<{ items: Event[] }>('events');
    const told = items.filter(
      ({ reason, involvedObject }) => reason === 'SuccessfulCreate' && involvedObject.kind === kind,
    );
    return new Set(told.map(({ message }) => message)).size;
  };
  const leader = async () => {
    const { spec } = await read<Lease>('lease kube-controller-manager -n kube-system');
    return machines.planes.find(({ name }) => spec?.holderIdentity?.startsWith(`${name}_`));
  };
  const servers = async () => {
    const { subsets = [] } = await read<Endpoints>('endpoints kubernetes');
    return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).sort();
  };

  before(async () => {
    machines = await Machines.start({ nodes: ['left', 'right'], hasTwoPlanes: true });
    await apply(
      workload('Deployment', 'web', { replicas: 2 }, spread('web')),
      scriptPod('kept', 'sleep 100000', keptOn('right')),
    );
    await ok('rollout status deployment/web --timeout=60s');
    await ok('wait --for=condition=Ready pod/kept --timeout=60s');
  });
  after(() => machines?.remove());

  it('are both told of, and one leads', async () => {
    const found = await eventually('a leader', leader);
    dead = found;
    alive = machines.planes.find((plane) => plane !== found)!;
    await machines.share(dead);
    assert.deepEqual(await servers(), machines.planes.map(({ address }) => address).sort());
  });

  it('of which one dies, are followed by clients, and by the other’s controllers and scheduler', async () => {
    const before = await web();
    const kept = await read<Pod>('pod kept');
    await apply(job);
    await ok('scale deployment web --replicas=6');
    await dead.losePower();
    await machines.share(alive);
    await eventually('the other to lead', async () => (await leader()) === alive, passOverMs);
    await eventually(
      'what was asked for to be there',
      async () => {
        const { status } = await read<Job>('job counted');
        const ready = (await web()).filter(({ status }) => status?.phase === 'Running');
        return status?.succeeded === completions && ready.length === 6;
      },
      120_000,
    );
    assert.equal(await made('ReplicaSet'), 6);
    assert.equal(await made('Job'), completions);
    const uids = new Set((await web()).map(({ metadata }) => metadata.uid));
    for (const { metadata } of before) assert.ok(uids.has(metadata.uid), 'a pod was replaced');
    const now = await read<Pod>('pod kept');
    assert.deepEqual(now.status?.containerStatuses, kept.status?.containerStatuses);
    await eventually(
      'the dead one to be forgotten',
      async () => (await servers()).join() === alive.address,
      passOverMs,
    );
  });

  it('are two again when it is back, and the same one leads', async () => {
    await dead.switchOn();
    machines.startServer(dead);
    machines.startControllers(dead);
    await eventually('both', async () => (await servers()).length === 2, passOverMs);
    assert.equal(await leader(), alive);
    await ok('scale deployment web --replicas=3');
    await eventually('three pods', async () => (await web()).length === 3);
  });
});
