/** Servers of the Model Context Protocol, by which assistants work in clusters, before a real node. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../e2e/free-port.ts';
import { testImage } from '../../e2e/image.ts';
import { eventually, podOf, scriptPod, TestNode } from '../../e2e/node.ts';
import { McpSession } from './mcp-session.ts';
import { installPrograms, programOf } from './npm-programs.ts';
import { tokenKubeconfig } from './token-kubeconfig.ts';

const script = 'n=0; while :; do n=$((n+1)); echo line $n; sleep 1; done & exec httpd -f -p 8080 -h /etc';
const goServer = 'node_modules/kubernetes-mcp-server-linux-amd64/bin/kubernetes-mcp-server-linux-amd64';
const nodeServer = 'node_modules/mcp-server-kubernetes/dist/index.js';
const labels = { app: 'many' };
const many = {
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'many' } },
  spec: {
    ...{ replicas: 1, selector: { matchLabels: labels } },
    template: { metadata: { labels }, spec: podOf('many', { image: testImage }).spec },
  },
};
const both = ['sh', '-c', 'echo out; echo err >&2; exit 3'];

let node: TestNode;
let folder: string;

before(async () => {
  installPrograms();
  folder = mkdtempSync(join(tmpdir(), 'wherry-mcp-'));
  node = await TestNode.start('assisted');
  await node.apply(scriptPod('talks', script));
});
after(async () => {
  await node?.remove();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const environment = (kubeconfig = node.kubeconfig) => ({ KUBECONFIG: kubeconfig, HOME: folder });
const goSession = (kubeconfig?: string) => McpSession.open(programOf(goServer), [], environment(kubeconfig));

/** A kubeconfig of a service account that may do what the role `view` lets it. */
async function viewer(): Promise<string> {
  await node.kubectlOk(['create', 'serviceaccount', 'viewer']);
  const words = ['--clusterrole=view', '--serviceaccount=default:viewer'];
  await node.kubectlOk(['create', 'rolebinding', 'viewer', ...words]);
  return tokenKubeconfig(node, 'viewer', folder);
}

describe('kubernetes-mcp-server', { skip: process.arch !== 'x64' && 'its program is for amd64' }, () => {
  let session: McpSession;
  before(async () => {
    session = await goSession();
  });
  after(() => session?.[Symbol.asyncDispose]());

  test('reads pods, logs, events and figures', async () => {
    assert.match(await session.call('pods_list', { labelSelector: 'app=talks' }), /talks +1\/1 +Running/);
    assert.match(await session.call('pods_get', { name: 'talks' }), /nodeName: assisted/);
    assert.match(await session.call('pods_log', { name: 'talks', tail: 1 }), /^line \d+\n?$/);
    assert.match(await session.call('events_list', { namespace: 'default' }), /Reason: Started/);
    await eventually('figures of the pod', () =>
      session.call('pods_top').then(
        (text) => /talks +main +\d+m +\d+Mi/.test(text),
        () => false,
      ),
    );
    assert.match(await session.call('nodes_top'), /assisted +\d+m/);
    const summary = JSON.parse(await session.call('nodes_stats_summary', { name: 'assisted' }));
    assert.equal(summary.node.nodeName, 'assisted');
    assert.match(await session.call('namespaces_list'), /kube-system +Active/);
  });

  test('runs commands in a pod, and tells of those that fail', async () => {
    assert.equal(await session.call('pods_exec', { name: 'talks', command: ['hostname'] }), 'talks\n');
    const failing = session.call('pods_exec', { name: 'talks', command: both });
    await assert.rejects(failing, /command terminated with exit code 3/);
  });

  test('applies, scales and deletes any kind, and runs pods', async () => {
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'many' };
    await session.call('resources_create_or_update', { resource: JSON.stringify(many) });
    assert.match(await session.call('resources_scale', { ...deployment, scale: 2 }), /replicas: 2/);
    await eventually('both pods', async () =>
      (await session.call('resources_list', deployment)).includes('2/2'),
    );
    await session.call('resources_delete', deployment);
    await assert.rejects(session.call('resources_get', deployment), /"many" not found/);
    await session.call('pods_run', { name: 'runs', image: testImage, port: 8080 });
    await session.call('pods_delete', { name: 'runs' });
  });

  test('with the token of who may look alone, it changes nothing and runs nothing', async () => {
    await using looking = await goSession(await viewer());
    assert.match(await looking.call('pods_log', { name: 'talks', tail: 1 }), /^line \d+/);
    const refused = /User "system:serviceaccount:default:viewer" cannot create resource "pods\/exec"/;
    await assert.rejects(looking.call('pods_exec', { name: 'talks', command: ['true'] }), refused);
    await assert.rejects(looking.call('pods_delete', { name: 'talks' }), /cannot delete resource "pods"/);
  });
});

describe('mcp-server-kubernetes', () => {
  let session: McpSession;
  before(async () => {
    session = await McpSession.open(process.execPath, [programOf(nodeServer)], environment());
  });
  after(() => session?.[Symbol.asyncDispose]());
  const pod = { resourceType: 'pod', name: 'talks', namespace: 'default' };
  const deployment = { resourceType: 'deployment', name: 'many', namespace: 'default' };

  test('reads pods, logs, kinds and fields', async () => {
    const { items } = JSON.parse(await session.call('kubectl_get', { resourceType: 'pods' }));
    assert.deepEqual(
      items.map(({ name, status }: { name: string; status: string }) => [name, status]),
      [['talks', 'Running']],
    );
    assert.match(await session.call('kubectl_describe', pod), /Node: +assisted\//);
    const { logs } = JSON.parse(await session.call('kubectl_logs', { ...pod, tail: 1 }));
    assert.match(logs, /^line \d+\n$/);
    assert.match(await session.call('explain_resource', { resource: 'pods.spec' }), /terminationGrace/);
    assert.match(await session.call('list_api_resources', { apiGroup: 'apps' }), /deployments +deploy/);
  });

  test('runs commands in a pod, and tells of those that fail', async () => {
    const said = await session.call('exec_in_pod', { name: 'talks', command: both });
    assert.match(said, /^Command exited with code 3\n[\s\S]*\nout\n[\s\S]*\nerr\n/);
  });

  test('forwards a port until it is told to stop', async () => {
    const localPort = await freePort();
    const [resourceType, resourceName] = ['pod', 'talks'];
    await session.call('port_forward', { resourceType, resourceName, localPort, targetPort: 8080 });
    const page = () => fetch(`http://127.0.0.1:${localPort}/passwd`).then((answer) => answer.text());
    assert.match(await page(), /^root:/);
    await session.call('stop_port_forward', { id: `pod-talks-${localPort}` });
    await eventually('the end of the forwarded port', () =>
      page().then(
        () => false,
        () => true,
      ),
    );
  });

  test('applies, patches, scales, restarts, and deletes', async () => {
    await session.call('kubectl_apply', { manifest: JSON.stringify(many) });
    await session.call('kubectl_scale', { ...deployment, replicas: 3 });
    await session.call('kubectl_patch', {
      ...deployment,
      patchType: 'merge',
      patchData: { spec: { replicas: 1 } },
    });
    await session.call('kubectl_rollout', { ...deployment, subCommand: 'restart' });
    assert.match(
      await session.call('kubectl_rollout', { ...deployment, subCommand: 'status' }),
      /successfully rolled out/,
    );
    await session.call('kubectl_delete', deployment);
    const node = { nodeName: 'assisted' };
    assert.match(await session.call('node_management', { operation: 'cordon', ...node }), /unschedulable/);
    assert.match(await session.call('node_management', { operation: 'uncordon', ...node }), /schedulable/);
  });
});
