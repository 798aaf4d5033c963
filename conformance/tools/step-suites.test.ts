/** chainsaw and kuttl, by which operators say what is to happen in steps: their own suites and others, before a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startApiServer, type TestCluster } from '@wherry/testing';
import { run } from '../../e2e/command.ts';
import { TestNode } from '../../e2e/node.ts';
import { buildTool } from './build.ts';
import { type Hub, startHub } from './step-suites/hub.ts';
import { chainsawSource, kuttlSource } from './step-suites/sources.ts';

const suiteMs = 180_000;
const own = join(import.meta.dirname, 'step-suites');

let node: TestNode;
let hub: Hub;
let folder: string;
let second: TestCluster;
let chainsaw: string;
let kuttl: string;

before(async () => {
  chainsaw = await buildTool('chainsaw');
  kuttl = await buildTool('kuttl');
  folder = mkdtempSync(join(tmpdir(), 'wherry-steps-'));
  hub = await startHub();
  second = await startApiServer();
  node = await TestNode.start('stepped', hub.flags);
});
after(async () => {
  await node?.remove();
  await second?.close();
  await hub?.[Symbol.asyncDispose]();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ KUBECONFIG: node.kubeconfig, HOME: folder });

/** Runs it over the suites of a folder, in which all must pass. Answers what it says and how many did. */
async function chainsawPasses(path: string, ...flags: string[]): Promise<{ said: string; passed: number }> {
  const words = ['test', path, '--no-color', '--fail-fast=false', ...flags];
  const env = { ...environment(), PATH: `${folder}:${process.env['PATH']}` };
  const { code, stdout, stderr } = await run(chainsaw, words, { env, timeoutMs: suiteMs });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /^- Failed {2}tests 0$/m);
  return { said: stdout, passed: Number(/^- Passed {2}tests (\d+)$/m.exec(stdout)?.[1]) };
}

test('chainsaw: its own suite passes, also what it does in a cluster made meanwhile', {
  timeout: suiteMs,
}, async () => {
  const suite = join(await chainsawSource(), 'testdata/e2e');
  // It has `kind create cluster --name NAME --kubeconfig FILE` make another cluster, and looks at what most find names by.
  const kind = `#!/bin/sh\n[ "$1" = delete ] || cp ${second.kubeconfig.path} "$6"\n`;
  writeFileSync(join(folder, 'kind'), kind, { mode: 0o755 });
  const labels = { 'k8s-app': 'kube-dns' };
  const securityContext = { allowPrivilegeEscalation: false };
  await node.create({
    ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
    metadata: { name: 'coredns', namespace: 'kube-system', labels },
    spec: {
      ...{ replicas: 0, selector: { matchLabels: labels } },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'coredns', image: 'none', securityContext }] },
      },
    },
  });
  const flags = ['--remarshal', '--config', join(suite, 'config.yaml')];
  const { passed } = await chainsawPasses(suite, ...flags, '--values', join(suite, 'values.yaml'));
  assert.equal(passed, 43);
});

test('chainsaw: pods are waited for, looked at, asked, changed and taken away', {
  timeout: suiteMs,
}, async () => {
  const { said } = await chainsawPasses(join(own, 'chainsaw'));
  assert.match(said, /\[pod\/web-\S+\/main\] up\n\s+\[pod\/web-\S+\/main\] up/);
  assert.match(said, /ScalingReplicaSet +deployment\/web/);
  assert.match(said, /NewReplicaSet: +web-\S+ \(2\/2 replicas created\)/);
  assert.match(said, /made 7/);
});

test('kuttl: its own suite passes', { timeout: suiteMs }, async () => {
  const suite = join(await kuttlSource(), 'pkg/test');
  const cases = readdirSync(join(suite, 'test_data'));
  const words = ['test', join(suite, 'test_data'), '--crd-dir', join(suite, 'test_crds'), '--timeout', '60'];
  // It leaves a kubeconfig where it stands.
  const inFolder = ['-C', folder, kuttl, ...words, '--parallel', '4'];
  const { code, stdout, stderr } = await run('env', inFolder, { env: environment(), timeoutMs: suiteMs });
  assert.equal(code, 0, stdout + stderr);
  const passed = [...stdout.matchAll(/^ +--- PASS: kuttl\/harness\/(\S+)/gm)].map(([, name]) => name);
  assert.deepEqual(passed.sort(), cases.sort());
});
