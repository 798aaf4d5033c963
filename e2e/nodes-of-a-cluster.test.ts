/** Two nodes of one cluster on this machine, from one file. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { run } from './command.ts';
import { buildTestImage } from './image.ts';
import { eventually, podOf, scriptPod, wherry } from './node.ts';
import { stretched } from './slowness.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-nodes-'));
const dataDir = join(folder, 'first');
const memberDir = join(dataDir, 'nodes/second');
const config = join(folder, 'nodes.yaml');
const env = { KUBECONFIG: join(dataDir, 'kubeconfig'), HOME: folder };

const kubectl = (words: readonly string[], stdin?: string) =>
  run('kubectl', words, { env, ...(stdin !== undefined && { stdin }) });
const ok = async (words: readonly string[], stdin?: string) => {
  const { code, stdout, stderr } = await kubectl(words, stdin);
  assert.equal(code, 0, `kubectl ${words.join(' ')}: ${stderr}`);
  return stdout;
};
const apply = (...objects: object[]) =>
  ok(['apply', '-f', '-'], objects.map((object) => JSON.stringify(object)).join('\n'));
const on = (hostname: string) => ({ nodeSelector: { 'kubernetes.io/hostname': hostname } });
const jsonPath = (path: string, ...words: string[]) => ok(['get', ...words, '-o', `jsonpath={${path}}`]);
const patience = { timeout: stretched(120_000) };

/** Answers each request with the address that it came from. */
const server = (name: string, node: string) =>
  scriptPod(
    name,
    `mkdir -p /www/cgi-bin && printf '#!/bin/sh\\necho; echo $REMOTE_ADDR\\n' > /www/cgi-bin/who &&
     chmod +x /www/cgi-bin/who && exec httpd -f -p 80 -h /www`,
    on(node),
  );

before(async () => {
  writeFileSync(
    config,
    JSON.stringify({
      ...{ apiVersion: 'wherry/v1alpha1', kind: 'Node', name: 'first', dataDir },
      ports: { api: 0, kubelet: 0 },
      kubelet: { maxPods: 20 },
      nodes: [{ name: 'second', kubelet: { maxPods: 10 }, ports: { kubelet: 0 } }],
    }),
  );
  const { code, stderr } = await wherry(['up', '--config', config, '--detach']);
  assert.equal(code, 0, stderr);
  for (const node of [dataDir, memberDir]) await buildTestImage(node);
});
after(async () => {
  const { code, stderr } = await wherry(['down', '--data-dir', dataDir, '--purge']);
  assert.equal(code, 0, stderr);
  assert.ok(!existsSync(dataDir), 'the folder of the nodes is still there');
  rmSync(folder, { recursive: true, force: true });
});

test('a file makes nodes of one cluster, each with its own settings and pods', patience, async () => {
  assert.equal(await jsonPath('.items[*].status.capacity.pods', 'nodes'), '20 10');
  const roles = (await ok(['get', 'nodes', '--no-headers'])).split('\n').map((line) => line.split(/ +/)[2]);
  assert.deepEqual(roles.slice(0, 2), ['control-plane', '<none>']);
  const { stdout } = await wherry(['status', '--data-dir', dataDir, '--json']);
  assert.deepEqual(JSON.parse(stdout).nodes, [{ name: 'second', dataDir: memberDir, ready: 'True' }]);
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'far' } };
  await apply(podOf('near', {}, on('first')), podOf('beside', {}, on('second')), server('far', 'second'), {
    ...service,
    spec: { type: 'NodePort', selector: { app: 'far' }, ports: [{ port: 80 }] },
  });
  await ok(['wait', '--for=condition=Ready', 'pod/near', 'pod/beside', 'pod/far', '--timeout=60s']);
  assert.equal(await ok(['exec', 'far', '--', 'hostname']), 'far\n');
  assert.equal(await ok(['exec', 'near', '--', 'hostname']), 'near\n');
  const endpoint = `unix://${memberDir}/runtime/cri.sock`;
  assert.match((await wherry(['cri', 'pods', '--runtime-endpoint', endpoint])).stdout, /far/);
});

/** What the server of a pod says to one who asks; it names an IPv4 address by that of IPv6. */
const ask = async (from: string, host: string) => {
  const words = ['exec', from, '--', 'timeout', '5', 'wget', '-qO-', `http://${host}/cgi-bin/who`];
  const { code, stdout } = await kubectl(words);
  return code === 0 ? stdout.replace(/^\[::ffff:(.*)\]\n$/, '$1') : undefined;
};
const addressOf = (pod: string) => jsonPath('.status.podIP', 'pod', pod);

test('services on another node are reached by name, and see who asks', patience, async () => {
  const near = await addressOf('near');
  await eventually('the service answers', async () => (await ask('near', 'far')) === near);
  // Each node of the machine leads its own pods' packets alone.
  assert.equal(await ask('beside', 'far'), await addressOf('beside'));
  const port = await jsonPath('.spec.ports[0].nodePort', 'service', 'far');
  const host = await jsonPath('.status.hostIP', 'pod', 'far');
  assert.equal(await ask('near', `${host}:${port}`), near);
  assert.equal((await run('busybox', ['wget', '-qO-', `http://${host}:${port}/cgi-bin/who`])).code, 0);
  // The cluster's DNS by the address of its service, which leads pods to the server of their own node.
  for (const pod of ['near', 'far'])
    await ok(['exec', pod, '--', 'nslookup', 'far.default.svc.cluster.local', '10.96.0.10']);
});

test('a policy holds pods of another node to their labels', patience, async () => {
  const from = [{ podSelector: { matchLabels: { app: 'friend' } } }];
  const spec = {
    podSelector: { matchLabels: { app: 'far' } },
    policyTypes: ['Ingress'],
    ingress: [{ from }],
  };
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'friends' } };
  await apply({ ...policy, spec }, podOf('friend', {}, on('first')));
  await ok(['wait', '--for=condition=Ready', 'pod/friend', '--timeout=60s']);
  await eventually('the stranger is kept out', async () => (await ask('near', 'far')) === undefined);
  const friend = await addressOf('friend');
  await eventually('the friend is let in', async () => (await ask('friend', 'far')) === friend);
});

test(
  'a claim of a pod on the second node is a folder, and drained it gives its pods to the first',
  patience,
  async () => {
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept' } };
    const volumes = [{ name: 'kept', persistentVolumeClaim: { claimName: 'kept' } }];
    const main = {
      command: ['sh', '-c', 'echo there > /kept/file; sleep 100000'],
      volumeMounts: [{ name: 'kept', mountPath: '/kept' }],
    };
    const labels = { app: 'mover' };
    await ok(['cordon', 'first']);
    await apply(
      { ...claim, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } } },
      podOf('keeper', main, { volumes, ...on('second') }),
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'mover' } },
        spec: {
          ...{ replicas: 2, selector: { matchLabels: labels } },
          template: {
            metadata: { labels },
            spec: { ...podOf('mover').spec, terminationGracePeriodSeconds: 0 },
          },
        },
      },
    );
    await ok(['wait', '--for=condition=Ready', 'pod/keeper', '--timeout=60s']);
    await eventually(
      'the file is there',
      async () => (await kubectl(['exec', 'keeper', '--', 'cat', '/kept/file'])).stdout === 'there\n',
    );
    await ok(['rollout', 'status', 'deployment/mover', '--timeout=60s']);
    assert.equal(await jsonPath('.items[*].spec.nodeName', 'pods', '-l', 'app=mover'), 'second second');
    await ok(['uncordon', 'first']);
    await ok(['drain', 'second', '--force', '--ignore-daemonsets', '--timeout=60s']);
    // Right after a drain the Deployment's status may still tell of the pods that went.
    await eventually('both pods on the first node', async () => {
      await ok(['rollout', 'status', 'deployment/mover', '--timeout=60s']);
      return (await jsonPath('.items[*].spec.nodeName', 'pods', '-l', 'app=mover')) === 'first first';
    });
  },
);

test(
  'a node that is purged leaves the cluster, and a file without it brings nobody back',
  patience,
  async () => {
    const { code, stderr } = await wherry(['down', '--data-dir', memberDir, '--purge']);
    assert.equal(code, 0, stderr);
    assert.ok(!existsSync(memberDir));
    assert.equal(await jsonPath('.items[*].metadata.name', 'nodes'), 'first');
    const again = await wherry(['up', '--data-dir', dataDir, '--detach']);
    assert.equal(again.code, 0, again.stderr);
    assert.ok(!existsSync(memberDir));
    assert.equal(await jsonPath('.items[*].metadata.name', 'nodes'), 'first');
  },
);
