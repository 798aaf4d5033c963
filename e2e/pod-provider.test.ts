/** The kubelet over a provider whose pods are threads, asked by kubectl through a real API server. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Kubelet, startKubelet } from '@wherry/kubelet';
import { detectCgroups, foldersAt, removeGroup } from '@wherry/linux';
import { type RunningProvider, serveProvider } from '@wherry/pod-provider';
import { clusterOf } from '../conformance/peers/cluster.ts';
import { kubeconfigText, makeClusterFiles, Processes } from '../conformance/peers/joining-node.ts';
import { startOwnServer } from '../conformance/peers/own-plane.ts';
import { WorkerThreads } from '../packages/pod-provider/examples/worker-threads.ts';
import { freePort } from './free-port.ts';
import { eventually } from './node.ts';

const nodeName = 'threads';
const programs = new URL('../packages/pod-provider/examples/programs/', import.meta.url).pathname;

/** Of the machine; the API server goes to no kubelet on its own loopback. */
const address = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

describe('a node whose pods are threads', { concurrency: false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wherry-provider-'));
  const cgroupRoot = `/provider-${process.pid}`;
  const at = (name: string) => join(folder, name);
  const processes = new Processes(at('logs'));
  let kubeconfig = '';
  let removeFiles = () => {};
  let served: RunningProvider;
  let kubelet: Kubelet;
  const { kubectl, kubectlOk, startKubectl } = clusterOf(() => ({ KUBECONFIG: kubeconfig, HOME: folder }));

  const apply = (name: string, spec: object) =>
    kubectlOk(['apply', '-f', '-'], {
      stdin: JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
        spec: { nodeName, automountServiceAccountToken: false, terminationGracePeriodSeconds: 1, ...spec },
      }),
    });
  const field = (name: string, path: string) => kubectlOk(['get', 'pod', name, '-o', `jsonpath={${path}}`]);

  before(async () => {
    assert.ok(address, 'the machine has no address beside loopback');
    const port = await freePort();
    const url = `https://127.0.0.1:${port}`;
    const files = await makeClusterFiles(url);
    removeFiles = () => rmSync(files.folder, { recursive: true, force: true });
    kubeconfig = files.kubeconfig;
    await startOwnServer(files, processes, port);
    await eventually('the API server', async () => (await kubectl(['get', '--raw', '/readyz'])).code === 0);
    await kubectlOk(['create', 'serviceaccount', 'default']);

    const user = `system:node:${nodeName}`;
    const serving = await files.authority.issue({ name: user, hosts: [address] });
    const client = await files.authority.issue({ name: user, groups: ['system:nodes'] });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const credentials = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(client.key),
    };
    writeFileSync(at('kubeconfig'), kubeconfigText(url, files.authority.cert, credentials));
    writeFileSync(at('kubelet.crt'), serving.cert);
    writeFileSync(at('kubelet.key'), serving.key, { mode: 0o600 });
    writeFileSync(at('ca.crt'), files.authority.cert);
    mkdirSync(at('pod-logs'));

    served = await serveProvider({ provider: new WorkerThreads(programs), socketPath: at('cri.sock') });
    kubelet = await startKubelet({
      ...{ kubeconfig: at('kubeconfig'), rootDir: at('root'), hostnameOverride: nodeName },
      nodeIp: address,
      configuration: {
        ...{
          port: 0,
          healthzPort: 0,
          cgroupRoot,
          failSwapOn: false,
          failCgroupV1: false,
        },
        ...{
          containerRuntimeEndpoint: `unix://${at('cri.sock')}`,
          podLogsDir: at('pod-logs'),
          evictionHard: {},
        },
        ...{ tlsCertFile: at('kubelet.crt'), tlsPrivateKeyFile: at('kubelet.key') },
        authentication: { x509: { clientCAFile: at('ca.crt') }, webhook: { enabled: true } },
        authorization: { mode: 'Webhook' },
      },
    });
    await eventually(
      'the node',
      async () =>
        (await kubectl(['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=1s'])).code === 0,
    );
  });

  after(async () => {
    await kubelet?.close();
    await served?.close();
    await processes.end();
    removeGroup(foldersAt(detectCgroups(), cgroupRoot));
    removeFiles();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

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

    const forward = startKubectl(['port-forward', 'pod/web', `:${port}`]);
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
