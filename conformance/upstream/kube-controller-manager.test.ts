/** Kubernetes' own controller manager and scheduler on our API server, with our kubelet below them. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start } from '../../e2e/command.ts';
import { eventually, TestNode } from '../../e2e/node.ts';
import { checkWorkloads } from '../peers/workload-checks.ts';
import { buildUpstream } from './build.ts';

let node: TestNode;
let ours: number;
const running: ReturnType<typeof start>[] = [];
const logs = new Map<string, string>();

async function startUpstream(name: 'kube-controller-manager' | 'kube-scheduler', flags: string[]) {
  const common = ['--kubeconfig', node.kubeconfig, '--secure-port=0', '--leader-elect=true'];
  const identity = ['--authentication-skip-lookup=true', '--authorization-kubeconfig', node.kubeconfig];
  const child = start(await buildUpstream(name), [...common, ...identity, ...flags]);
  running.push(child);
  child.stderr.on('data', (chunk: Buffer) => logs.set(name, `${logs.get(name) ?? ''}${chunk}`));
  return child;
}

const holderOf = (lease: string) =>
  node.kubectlOk(['-n', 'kube-system', 'get', 'lease', lease, '-o', 'jsonpath={.spec.holderIdentity}']);

before(async () => {
  node = await TestNode.start('managed');
  // It holds the leases, and would be brought back: stopped, it loses them to those that wait for them.
  ours = await node.pidOf('controllers');
  const before = {
    manager: await holderOf('kube-controller-manager'),
    scheduler: await holderOf('kube-scheduler'),
  };
  process.kill(ours, 'SIGSTOP');
  const pki = (name: string) => join(node.dataDir, 'pki', name);
  await startUpstream('kube-controller-manager', [
    `--root-ca-file=${pki('ca.crt')}`,
    `--service-account-private-key-file=${pki('service-account.key')}`,
    '--allocate-node-cidrs=false',
  ]);
  await startUpstream('kube-scheduler', []);
  await eventually(
    'the leases to change hands',
    async () =>
      (await holderOf('kube-controller-manager')) !== before.manager &&
      (await holderOf('kube-scheduler')) !== before.scheduler,
    90_000,
  );
});
after(async () => {
  for (const child of running) {
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }
  if (ours) process.kill(ours, 'SIGCONT');
  await node?.remove();
});

checkWorkloads(() => node);

/** Lines in which one of them complains about the server that it talks to. */
function complaints(name: string): string[] {
  const said = (logs.get(name) ?? '').split('\n').filter((line) => /^[EW]\d{4} /.test(line));
  return said.filter((line) =>
    /could not find|no matches for kind|Failed to watch|failed to list|forbidden: User/i.test(line),
  );
}

test('they ask the server for nothing that it has not', () => {
  assert.deepEqual([...complaints('kube-controller-manager'), ...complaints('kube-scheduler')], []);
});
