/**
 * Nodes on machines of their own, by network namespaces and wires between them: what becomes of pods, services and sessions when a machine
 * loses its power, when nothing passes between a node and the API server, and when the API server starts with an older store.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { createCriClient } from '@wherry/cri';
import type { EndpointSlice, Node, Pod } from '@wherry/kubeapi';
import { Machines } from './machines/cluster.ts';
import { kubectlOf } from './machines/kubectl.ts';
import type { Machine } from './machines/machine.ts';
import { keptOn, preferring, service, spread, workload } from './machines/workload.ts';
import { eventually, scriptPod } from './node.ts';
import { stretched } from './slowness.ts';

const counting = 'n=0; while true; do n=$((n+1)); echo $n; sleep 0.5; done';
const outOfService = 'node.kubernetes.io/out-of-service';
/** A connection on which nothing passes is found dead after 45 s; a new one may have to be tried for 30 s. */
const backMs = 60_000;

describe('two machines', { concurrency: false, timeout: stretched(900_000) }, () => {
  let machines: Machines;
  let left: Machine;
  let right: Machine;

  const { ok, apply, read } = kubectlOf(() => machines.cluster);
  const pods = async (app: string) => (await read<{ items: Pod[] }>(`pods -l app=${app}`)).items;
  const podOf = async (name: string) =>
    (await read<{ items: Pod[] }>('pods')).items.find(({ metadata }) => metadata.name === name);
  const isReady = ({ status }: Pod | Node) =>
    status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
  const isOn =
    (node: string) =>
    ({ spec, metadata }: Pod) =>
      spec?.nodeName === node && !metadata.deletionTimestamp;
  const untilNodeIs = (status: string, timeoutMs = 30_000) =>
    eventually(
      `the node to be ${status}`,
      async () => {
        const node = await read<Node>('node right');
        return node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === status;
      },
      timeoutMs,
    );
  const until = (what: string, look: () => Promise<boolean>, timeoutMs?: number) =>
    eventually(what, look, timeoutMs);
  const containerOf = (pod: Pod | undefined) => pod?.status?.containerStatuses?.[0];
  const endpoints = async (app: string) => {
    const list = await read<{ items: EndpointSlice[] }>(
      `endpointslices -l kubernetes.io/service-name=${app}`,
    );
    return list.items.flatMap(({ endpoints }) =>
      (endpoints ?? []).filter(({ conditions }) => conditions?.ready).map(({ nodeName }) => nodeName),
    );
  };
  /** Names of the pods that have a running container, as the runtime of a machine says. */
  const running = async (machine: Machine) => {
    const cri = createCriClient(machine.at('cri.sock'));
    try {
      const { containers } = await cri.runtime.listContainers({ filter: { state: { state: 1 } } });
      return containers.map(({ labels }) => labels['io.kubernetes.pod.name'] ?? '').sort();
    } finally {
      cri.close();
    }
  };
  /** Who answers as the service `web` on the left machine, by the service's address. */
  const ask = async (count: number): Promise<string[]> => {
    const { spec } = await read<{ spec: { clusterIP: string } }>('service web');
    const line = `for i in $(seq ${count}); do timeout 2 wget -qO- http://${spec.clusterIP}/cgi-bin/who || echo none; done`;
    const words = ['exec', 'asker', '--', 'sh', '-c', line];
    return (await machines.cluster.kubectlOk(words)).trim().split('\n');
  };
  /** Throws unless lines of the counter follow each other from 1 on. */
  const assertWhole = (log: string) => {
    const lines = log.trim().split('\n').map(Number);
    assert.deepEqual(
      lines,
      lines.map((_, index) => index + 1),
    );
  };

  before(async () => {
    machines = await Machines.start({ nodes: ['left', 'right'] });
    left = machines.node('left');
    right = machines.node('right');
    await apply(
      workload('Deployment', 'web', { replicas: 2 }, spread('web')),
      service('web'),
      workload('StatefulSet', 'db', { replicas: 1, serviceName: 'db' }, preferring('right')),
      workload('DaemonSet', 'each', {}),
      scriptPod('asker', 'sleep 100000', keptOn('left')),
      scriptPod('kept', counting, keptOn('right')),
    );
    await ok('wait --for=condition=Ready pod --all --timeout=60s');
    await ok('rollout status statefulset/db --timeout=60s');
    await ok('rollout status daemonset/each --timeout=60s');
  });
  after(() => machines?.remove());

  describe('of which one loses its power', () => {
    let lost: Pod[];

    it('is not ready in time, and services and names are answered from the other', async () => {
      await until('both answer', async () => new Set(await ask(8)).size === 2);
      lost = (await read<{ items: Pod[] }>('pods')).items.filter(isOn('right'));
      await right.losePower();
      await untilNodeIs('Unknown');
      await until('the service to leave it', async () =>
        (await endpoints('web')).every((on) => on === 'left'),
      );
      const [mine] = (await pods('web')).filter(isOn('left'));
      await until('the rules to follow', async () =>
        (await ask(8)).every((name) => name === mine?.metadata.name || name.startsWith('web-')),
      );
      assert.match(
        await machines.cluster.kubectlOk([
          ...['exec', 'asker', '--', 'nslookup', 'web.default.svc.cluster.local', '10.96.0.10'],
        ]),
        /web\.default\.svc\.cluster\.local/,
      );
    });

    it('has its deployments’ pods replaced, and those of stateful sets and daemon sets not', async () => {
      await until(
        'two pods on the other',
        async () => (await pods('web')).filter((pod) => isOn('left')(pod) && isReady(pod)).length === 2,
      );
      await until(
        'the set’s pod to go',
        async () => (await podOf('db-0'))?.metadata.deletionTimestamp !== undefined,
      );
      const uidOf = (name: string) => lost.find(({ metadata }) => metadata.name === name)?.metadata.uid;
      assert.equal((await podOf('db-0'))?.metadata.uid, uidOf('db-0'));
      assert.equal((await pods('each')).filter(isOn('right')).length, 1);
      assert.equal((await podOf('kept'))?.metadata.deletionTimestamp, undefined);
    });

    it('sets the stateful set’s pod free once somebody says that it is out of service', async () => {
      await ok(`taint node right ${outOfService}=nodeshutdown:NoExecute`);
      await until('another pod of the set', async () => {
        const pod = await podOf('db-0');
        return pod !== undefined && isOn('left')(pod) && isReady(pod);
      });
    });

    it('comes back with what it should run and nothing else, and says how all that ended', async () => {
      await right.switchOn();
      await machines.startNode('right');
      await untilNodeIs('True');
      await ok(`taint node right ${outOfService}-`);
      await ok('rollout status daemonset/each --timeout=60s');
      await until('the kept pod to be back', async () => {
        const pod = await podOf('kept');
        return pod !== undefined && isReady(pod) && containerOf(pod)?.restartCount === 1;
      });
      const { exitCode, reason } = containerOf(await podOf('kept'))?.lastState?.terminated ?? {};
      assert.deepEqual({ exitCode, reason }, { exitCode: 255, reason: 'Unknown' });
      assertWhole(await ok('logs kept -p'));
      assertWhole(await ok('logs kept'));
      const [each] = (await pods('each')).filter(isOn('right'));
      await until(
        'nothing else to run',
        async () => (await running(right)).join() === [each?.metadata.name, 'kept'].sort().join(),
      );
    });
  });

  for (const directions of [['in', 'out'], ['in'], ['out']] as const)
    describe(`of which one is cut off from the API server, ${directions.join(' and ')}`, () => {
      it('goes on by itself, and afterwards tells what was, and ends what was deleted', async () => {
        await ok('delete pod deleted forced crashes ends --ignore-not-found --force --grace-period=0');
        await until('the names to be free', async () => !(await running(right)).includes('deleted'));
        const own = keptOn('right');
        await apply(
          scriptPod('deleted', 'sleep 100000', own),
          scriptPod('forced', 'sleep 100000', own),
          scriptPod('crashes', 'sleep 4; exit 3', own),
          scriptPod('ends', 'sleep 15; exit 7', { ...own, restartPolicy: 'Never' }),
        );
        await ok('wait --for=condition=Ready pod/deleted pod/forced pod/crashes pod/ends --timeout=60s');
        const before = containerOf(await podOf('kept'));
        const restarts = containerOf(await podOf('crashes'))?.restartCount ?? 0;
        const line = 'echo ready; sleep 1000';
        const child = machines.cluster.startKubectl(['exec', 'kept', '--', 'sh', '-c', line]);
        const session = new Promise<number | null>((resolve) => child.once('close', resolve));
        let words = '';
        child.stderr.on('data', (chunk) => (words += chunk));
        await once(child.stdout, 'data');
        await machines.wire.lose(right.number, 100, directions);
        await untilNodeIs('Unknown');
        await ok('delete pod deleted --wait=false');
        await ok('delete pod forced --force --grace-period=0');
        // kubectl asks each 5 s, and gives up after a minute.
        assert.notEqual(await session, 0);
        assert.notEqual(words, '');
        assert.ok((await running(right)).includes('deleted'));
        await machines.wire.mend();
        await untilNodeIs('True', backMs);
        await until('what was deleted to end', async () => {
          const names = await running(right);
          return !names.includes('deleted') && !names.includes('forced');
        });
        await until('how it ended to be told', async () => {
          const { terminated } = containerOf(await podOf('ends'))?.state ?? {};
          return terminated?.exitCode === 7 && (await podOf('deleted')) === undefined;
        });
        const { restartCount = 0 } = containerOf(await podOf('crashes')) ?? {};
        assert.ok(restartCount >= restarts + 2, `restarted ${restartCount - restarts} times meanwhile`);
        const now = containerOf(await podOf('kept'));
        assert.deepEqual([now?.containerID, now?.restartCount], [before?.containerID, before?.restartCount]);
        assertWhole(await ok('logs kept'));
      });
    });

  describe('of which one loses a fifth of its packets', () => {
    it('does what it is asked for, whole, and is not given up', async () => {
      await machines.wire.lose(right.number, 20);
      try {
        await apply(scriptPod('slow', 'sleep 100000', keptOn('right')));
        await ok('wait --for=condition=Ready pod/slow --timeout=120s');
        const numbers = await ok('exec slow -- seq 20000');
        assert.equal(numbers, Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join(''));
        assertWhole(await ok('logs kept'));
      } finally {
        await machines.wire.mend();
      }
      await untilNodeIs('True');
      const { restartCount } = containerOf(await podOf('slow')) ?? {};
      assert.equal(restartCount, 0);
    });
  });

  describe('whose API server starts with an older store', () => {
    it('run what that store wants, and tell it what it has forgotten', async () => {
      await apply(
        scriptPod('gone', 'sleep 100000', keptOn('left')),
        scriptPod('ending', 'until [ -e /tmp/end ]; do sleep 0.2; done; exit 3', {
          ...keptOn('left'),
          restartPolicy: 'Never',
        }),
      );
      await ok('wait --for=condition=Ready pod/gone pod/ending --timeout=60s');
      // Bound, and not begun yet.
      await right.kill('kubelet');
      await apply(scriptPod('bound', 'sleep 100000', { ...keptOn('right'), nodeName: 'right' }));
      const store = machines.plane.at('store');
      const backup = machines.plane.at('backup');
      await machines.plane.kill('apiserver');
      cpSync(store, backup, { recursive: true });
      machines.startServer();
      await machines.untilServerIsReady();
      machines.startKubelet('right');

      await ok('wait --for=condition=Ready pod/bound --timeout=60s');
      await ok('delete pod gone');
      await ok('scale deployment web --replicas=4');
      await ok('exec ending -- touch /tmp/end');
      await apply(scriptPod('later', 'sleep 100000', keptOn('left')));
      await ok('wait --for=condition=Ready pod/later --timeout=60s');
      await ok('rollout status deployment web --timeout=60s');
      await until('the end to be told', async () => (await podOf('ending'))?.status?.phase === 'Failed');
      const steady = containerOf(await podOf('kept'))?.containerID;

      await machines.plane.kill('apiserver');
      rmSync(store, { recursive: true });
      cpSync(backup, store, { recursive: true });
      machines.startServer();
      await machines.untilServerIsReady();
      assert.equal((await podOf('bound'))?.status?.phase, 'Pending');
      await until('what is forgotten to be told', async () => {
        const [bound, ending] = [await podOf('bound'), await podOf('ending')];
        return bound !== undefined && isReady(bound) && ending?.status?.phase === 'Failed';
      });
      assert.equal(containerOf(await podOf('ending'))?.state?.terminated?.exitCode, 3);
      await until('what was deleted later to run again', async () => {
        const names = await running(left);
        return names.includes('gone') && !names.includes('later');
      });
      await until('what was made later to end', async () => {
        const names = [...(await running(left)), ...(await running(right))];
        return names.filter((name) => name.startsWith('web-')).length === 2;
      });
      assert.equal(containerOf(await podOf('kept'))?.containerID, steady);
      assertWhole(await ok('logs kept'));
    });
  });
});
