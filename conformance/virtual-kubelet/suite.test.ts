/** Virtual Kubelet's own end-to-end suite against a node whose pods are threads: our kubelet above a provider in TypeScript. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { run } from '../../e2e/command.ts';
import { ProviderNode } from '../../e2e/provider-node.ts';
import { WorkerThreads } from '../../packages/pod-provider/examples/worker-threads.ts';
import { type Outcome, readGoTests, surprises } from '../envtest/outcome.ts';
import { buildImpatient, buildSuite, buildWithKubeletReasons } from './build.ts';
import { knownFailures } from './known.ts';

const runner = 'TestEndToEnd';
const nodeName = 'threads';

describe("Virtual Kubelet's suite", { concurrency: false }, () => {
  let node: ProviderNode;

  before(async () => {
    const provider = new WorkerThreads(join(import.meta.dirname, 'programs'));
    // The suite asks for no other port, and says to nobody who it is.
    node = await ProviderNode.start({ name: nodeName, provider, port: 10_250, takesAnyone: true });
    const { kubectlOk } = node.cluster;
    await kubectlOk(['create', 'configmap', 'kube-root-ca.crt', '--from-literal=ca.crt=']);
    const figures = [
      'create',
      'clusterrole',
      'figures',
      '--verb=get',
      '--resource=nodes/stats,nodes/metrics',
    ];
    await kubectlOk(figures);
    const anyone = ['--clusterrole=figures', '--user=system:anonymous'];
    await kubectlOk(['create', 'clusterrolebinding', 'figures', ...anyone]);
    // Virtual Kubelet is a pod of its node's name, through which the suite asks for figures.
    await node.apply(nodeName, { hostNetwork: true, containers: [{ name: 'kubelet', image: 'foo' }] });
    await kubectlOk(['wait', '--for=condition=Ready', `pod/${nodeName}`, '--timeout=60s']);
  });
  after(() => node?.remove());

  /** Runs tests of a build, which `choice` chooses by flags of `go test`. */
  async function play(program: string, choice: string[]): Promise<Outcome> {
    const words = ['-test.v', ...choice, '-kubeconfig', node.kubeconfig, '-node-name', nodeName];
    const { stdout, stderr } = await run(program, words, { env: { HOME: tmpdir() }, timeoutMs: 400_000 });
    const outcome = readGoTests(stdout, runner);
    const short = (names: string[]) => names.map((name) => name.slice(runner.length + 1));
    const told = { passed: short(outcome.passed), failed: short(outcome.failed) };
    console.log(`${told.passed.length} passed, ${told.failed.length} failed\n${stdout}${stderr}`);
    return told;
  }
  const known = Object.keys(knownFailures);
  const only = (names: readonly string[]) => [`-test.run=^${runner}$/^(${names.join('|')})$`];

  it('passes as it stands, but for what is known', async () => {
    const outcome = await play(await buildSuite(), [`-test.skip=^${runner}$/^(${known.join('|')})$`]);
    assert.deepEqual(surprises(outcome, {}), { unknown: [], gone: [] });
    assert.deepEqual(outcome.passed.toSorted(), [
      'TestGetMetricsResource',
      'TestGetPods',
      'TestGetStatsSummary',
      'TestPodLifecycleForceDelete',
      'TestPodLifecycleGracefulDelete',
    ]);
  });

  it('fails where it is known to', async () => {
    const outcome = await play(await buildImpatient(), only(known));
    assert.deepEqual(surprises(outcome, knownFailures), { unknown: [], gone: [] });
  });

  it('passes of pods whose secrets and maps may be missing where it waits for the event that the kubelet has', async () => {
    const optional = known.filter((name) => name.includes('Optional')).toSorted();
    const outcome = await play(await buildWithKubeletReasons(), only(optional));
    assert.deepEqual(outcome, { passed: optional, failed: [] });
  });
});
