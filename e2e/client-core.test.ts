import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadKubeconfig } from '@wherry/client';
import { run } from './command.ts';
import { scriptPod, TestNode } from './node.ts';

let node: TestNode;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-client-core-'));
  node = await TestNode.start();
  await node.apply(scriptPod('demo', 'echo first; echo last; sleep 100000'));
  await node.kubectlOk(['create', 'serviceaccount', 'robot']);
  const binding = ['create', 'clusterrolebinding', 'robot', '--clusterrole=cluster-admin'];
  await node.kubectlOk([...binding, '--serviceaccount=default:robot']);
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

test('the core of the client works where there is fetch and WebSocket, and nothing of Node', async () => {
  const { clusters, currentContext } = loadKubeconfig(node.kubeconfig);
  const cluster = clusters.get(currentContext);
  const authority = join(folder, 'ca.crt');
  writeFileSync(authority, Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64'));
  const program = new URL('./browser-like.ts', import.meta.url).pathname;
  const args = [program, cluster?.server ?? '', await node.createToken('robot')];
  const finished = await run(process.execPath, args, { env: { NODE_EXTRA_CA_CERTS: authority } });
  assert.equal(finished.code, 0, finished.stderr);
  const { modules, ...seen } = JSON.parse(finished.stdout);
  assert.deepEqual(seen, {
    applied: ['ConfigMap page'],
    pods: ['demo'],
    events: ['ADDED', 'MODIFIED', 'DELETED'],
    missing: { name: 'StatusError', reason: 'NotFound', code: 404 },
    answer: { exitCode: 3, stdout: 'HELLO', stderr: 'oops\n' },
    zeros: true,
    lines: ['last'],
    refused: { name: 'ClientError', code: 'unreachable' },
    buffer: 'undefined',
  });
  assert.ok(modules > 20, `${modules} modules`);
});
