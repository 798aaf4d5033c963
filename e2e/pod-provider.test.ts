/** The kubelet over a provider whose pods are threads, asked by kubectl through a real API server. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { WorkerThreads } from '../packages/pod-provider/examples/worker-threads.ts';
import { freePort } from './free-port.ts';
import { eventually } from './node.ts';
import { ProviderNode } from './provider-node.ts';

const nodeName = 'threads';
const programs = new URL('../packages/pod-provider/examples/programs/', import.meta.url).pathname;

/** Threads, of which those in pods whose name begins with `untold` do not say what they take. */
class SomeThreads extends WorkerThreads {
  override async start(...[container, io]: Parameters<WorkerThreads['start']>) {
    const { exited, signal, usage } = await super.start(container, io);
    return { exited, signal, ...(!container.pod.name.startsWith('untold') && usage && { usage }) };
  }
}

describe('a node whose pods are threads', { concurrency: false }, () => {
  let node: ProviderNode;
  const kubectl: ProviderNode['cluster']['kubectl'] = (...words) => node.cluster.kubectl(...words);
  const kubectlOk: ProviderNode['cluster']['kubectlOk'] = (...words) => node.cluster.kubectlOk(...words);
  const apply = (name: string, spec: object) => node.apply(name, spec);
  const field = (name: string, path: string) => kubectlOk(['get', 'pod', name, '-o', `jsonpath={${path}}`]);

  before(async () => {
    node = await ProviderNode.start({ name: nodeName, provider: new SomeThreads(programs) });
  });
  after(() => node?.remove());

  it('tells which runtime it has', async () => {
    const words = ['get', 'node', nodeName, '-o', 'jsonpath={.status.nodeInfo.containerRuntimeVersion}'];
    assert.equal(await kubectlOk(words), 'worker-threads://1.0.0');
  });

  it('runs, probes, logs, forwards to and measures a server, and runs commands beside it', async () => {
    const port = await freePort();
    const env = Object.entries({ PORT: String(port), NAME: 'web' }).map(([name, value]) => ({ name, value }));
    const readinessProbe = { exec: { command: ['echo', 'ready'] }, periodSeconds: 1 };
    await apply('web', { containers: [{ name: 'web', image: 'server', env, readinessProbe }] });
    await kubectlOk(['wait', '--for=condition=Ready', 'pod/web', '--timeout=30s']);
    await eventually(
      'its first words',
      async () => (await kubectlOk(['logs', 'web'])) === `listening on ${port}\n`,
    );

    assert.equal(await kubectlOk(['exec', 'web', '--', 'echo', 'a', 'b']), 'a b\n');
    assert.equal(
      await kubectlOk(['exec', '-i', 'web', '--', 'upper'], { stdin: 'some words' }),
      'SOME WORDS',
    );
    const failed = await kubectl(['exec', 'web', '--', 'fail', '7']);
    assert.equal(failed.code, 7);
    assert.match(failed.stderr, /^ends with 7$/m);
    assert.match((await kubectl(['exec', 'web', '--', 'sh'])).stderr, /there is no module "sh\.js"/);

    const forward = node.cluster.startKubectl(['port-forward', 'pod/web', `:${port}`]);
    try {
      let said = '';
      forward.stdout.on('data', (chunk) => {
        said += chunk;
      });
      const local = await eventually('the forward', () => /127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
      assert.equal(await (await fetch(`http://127.0.0.1:${local}/path`)).text(), 'hello from web: /path\n');
    } finally {
      forward.kill();
    }

    const usage = await eventually('its figures', async () => {
      const summary = JSON.parse(
        await kubectlOk(['get', '--raw', `/api/v1/nodes/${nodeName}/proxy/stats/summary`]),
      );
      const [pod] = summary.pods as { containers: { cpu?: object; memory?: object }[] }[];
      const [container] = pod?.containers ?? [];
      return container?.memory && container.cpu && container;
    });
    assert.ok((usage.memory as { workingSetBytes: number }).workingSetBytes > 1_000_000);
    await kubectlOk(['delete', 'pod', 'web']);
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), 'its thread has ended');
  });

  it('tells of processors and memory what each thread takes, to kubectl top too, and nothing of those that do not say', async () => {
    const containers = [
      { name: 'busy', image: 'busy', args: ['64'] },
      { name: 'idle', image: 'clock' },
    ];
    await apply('both', { containers });
    await apply('untold', { containers: [{ name: 'c', image: 'clock' }] });
    const top = await eventually(
      'figures of two moments',
      async () => {
        const { code, stdout } = await kubectl(['top', 'pod', '--containers', '--no-headers']);
        const rows = new Map(
          stdout.split('\n').map((line) => {
            const [pod, name, cpu = '', memory = ''] = line.split(/\s+/);
            return [
              `${pod}/${name}`,
              { millis: Number.parseInt(cpu, 10), mebibytes: Number.parseInt(memory, 10) },
            ];
          }),
        );
        // The processor is shared with whatever else runs here.
        return code === 0 && (rows.get('both/busy')?.millis ?? 0) > 20 && rows;
      },
      90_000,
    );
    const [busy, idle] = [top.get('both/busy'), top.get('both/idle')];
    assert.ok(
      busy && busy.millis < 1_200 && busy.mebibytes >= 64 && busy.mebibytes < 200,
      JSON.stringify(busy),
    );
    assert.ok(
      idle && idle.millis <= busy.millis && idle.mebibytes > 0 && idle.mebibytes < 64,
      JSON.stringify(idle),
    );
    assert.ok(!top.has('untold/c'));
    const [, , sum] = (await kubectlOk(['top', 'pod', 'both', '--no-headers'])).split(/\s+/);
    assert.ok(Number.parseInt(sum ?? '', 10) >= busy.mebibytes, sum);

    const page = (path: string) => kubectlOk(['get', '--raw', `/api/v1/nodes/${nodeName}/proxy/${path}`]);
    const lines = (await page('metrics/resource')).split('\n');
    for (const [family, labels] of [
      ['container_memory_working_set_bytes', 'container="busy",pod="both",namespace="default"'],
      ['container_cpu_usage_seconds_total', 'container="idle",pod="both",namespace="default"'],
      ['pod_memory_working_set_bytes', 'namespace="default",pod="both"'],
      ['pod_cpu_usage_seconds_total', 'namespace="default",pod="both"'],
    ])
      assert.ok(
        lines.some((line) => line.startsWith(`${family}{${labels}} `)),
        `${family} ${labels} in ${lines.join('\n')}`,
      );
    const ofUntold = lines.filter((line) => line.includes('pod="untold"'));
    assert.deepEqual(
      ofUntold.map((line) => line.replace(/[{ ].*/, '')),
      ['container_start_time_seconds'],
    );
    const { pods } = JSON.parse(await page('stats/summary')) as {
      pods: { podRef: { name: string }; memory?: object; containers: { name: string; memory?: object }[] }[];
    };
    const untold = pods.find(({ podRef }) => podRef.name === 'untold');
    assert.deepEqual(
      [untold?.memory, untold?.containers.map(({ memory }) => memory)],
      [undefined, [undefined]],
    );
    await kubectlOk(['delete', 'pod', 'both', 'untold']);
  });

  it('tells of a pod that has begun, and of one that is over, to whoever asks next', async () => {
    const page = async (path: string) =>
      JSON.parse(await kubectlOk(['get', '--raw', `/api/v1/nodes/${nodeName}/proxy/${path}`]));
    const told = async (name: string) => {
      const [running, summary] = await Promise.all([page('runningpods/'), page('stats/summary')]);
      return [
        running.items.some((pod: { metadata: { name: string } }) => pod.metadata.name === name),
        summary.pods.some((pod: { podRef: { name: string } }) => pod.podRef.name === name),
      ];
    };
    for (const name of ['first', 'second', 'third']) {
      assert.deepEqual(await told(name), [false, false]);
      await apply(name, { containers: [{ name: 'c', image: 'clock' }] });
      await kubectlOk(['wait', '--for=condition=Ready', `pod/${name}`, '--timeout=30s']);
      assert.deepEqual(await told(name), [true, true]);
      await kubectlOk(['delete', 'pod', name]);
      assert.deepEqual(await told(name), [false, false]);
    }
  });

  it('gives a pod with hostNetwork the addresses of its node', async () => {
    await apply('host', { hostNetwork: true, containers: [{ name: 'c', image: 'clock' }] });
    const hosts = await eventually(
      'its address',
      async () => (await field('host', '.status.podIPs[*].ip')) || undefined,
    );
    assert.equal(hosts, await field('host', '.status.hostIPs[*].ip'));
    await kubectlOk(['delete', 'pod', 'host']);
  });

  it('attaches to a thread that reads, and tells how it ended', async () => {
    const container = { name: 'upper', image: 'registry.example/upper:1', stdin: true, stdinOnce: true };
    await apply('reader', { restartPolicy: 'Never', containers: [container] });
    await eventually('it to run', async () => (await field('reader', '.status.phase')) === 'Running');
    const { stdout } = await kubectl(['attach', '-i', 'reader'], { stdin: 'loud\n' });
    assert.match(stdout, /^LOUD$/m);
    await eventually('its end', async () => (await field('reader', '.status.phase')) === 'Succeeded');
    assert.equal(await kubectlOk(['logs', 'reader']), 'LOUD\n');
  });

  it('tells exit codes, starts anew what may be started anew, and refuses images that are not there', async () => {
    await apply('fails', { restartPolicy: 'Never', containers: [{ name: 'c', image: 'fail', args: ['3'] }] });
    await apply('again', { containers: [{ name: 'c', image: 'fail', args: ['4'] }] });
    await apply('absent', { containers: [{ name: 'c', image: 'no-such' }] });
    await eventually('the failure', async () => (await field('fails', '.status.phase')) === 'Failed');
    const code = '.status.containerStatuses[0].state.terminated.exitCode';
    assert.equal(await field('fails', code), '3');
    assert.equal(await kubectlOk(['logs', 'fails']), 'ends with 3\n');
    await eventually(
      'a restart',
      async () => Number(await field('again', '.status.containerStatuses[0].restartCount')) > 0,
    );
    await eventually('the reason', async () => {
      const events = await kubectlOk(['get', 'events', '--field-selector=involvedObject.name=absent']);
      return events.includes('there is no module "no-such.js"');
    });
  });
});
