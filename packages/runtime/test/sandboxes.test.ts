import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { NamespaceMode, PodSandboxState } from '@wherry/cri';
import { readMountInfo } from '@wherry/linux';
import { podView } from '../src/nri/views.ts';
import { decodeSandbox } from '../src/sandbox/sandbox-record.ts';
import { startTestNode, type TestNode } from './node.ts';

suite('pod sandboxes', () => {
  let node: TestNode;
  before(async () => {
    node = await startTestNode(1);
  });
  after(() => node.close());

  const status = async (podSandboxId: string) =>
    (await node.cri.runtime.podSandboxStatus({ podSandboxId })).status;

  test('a sandbox without any configuration but its names is ready and has an address', async () => {
    const id = await node.runPod();
    const shown = await status(id);
    assert.equal(shown?.state, 0);
    assert.match(shown?.network?.ip ?? '', /^10\.85\.1\.\d+$/);
  });

  test('a sandbox that exists is not made again', async () => {
    const metadata = { name: 'twin', namespace: 'default', uid: 'twin', attempt: 0 };
    const both = await Promise.allSettled([node.runPod({ metadata }), node.runPod({ metadata })]);
    const made = both.filter(({ status }) => status === 'fulfilled');
    assert.ok(made.length >= 1);
    await assert.rejects(node.runPod({ metadata }), { code: 'ALREADY_EXISTS' });
    const { items } = await node.cri.runtime.listPodSandbox();
    assert.equal(items.filter((item) => item.metadata?.name === 'twin').length, 1);
  });

  test('an unknown runtime handler is refused and nothing is left', async () => {
    const folders = () => readdirSync(join(node.folder, 'runtime/sandboxes')).length;
    const before = folders();
    const config = { metadata: { name: 'x', namespace: 'n', uid: 'x', attempt: 0 } };
    await assert.rejects(node.cri.runtime.runPodSandbox({ config, runtimeHandler: 'gvisor' }), /gvisor/);
    assert.equal(folders(), before);
  });

  test('a bad sysctl fails the sandbox, frees its name and leaves no mount', async () => {
    const mounts = () =>
      readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(node.folder)).length;
    const before = mounts();
    const metadata = { name: 'sysctl', namespace: 'n', uid: 'sysctl', attempt: 0 };
    await assert.rejects(
      node.runPod({ metadata, linux: { sysctls: { 'vm.swappiness': '1' } } }),
      /whole machine/,
    );
    assert.equal(mounts(), before);
    const id = await node.runPod({
      metadata,
      linux: { sysctls: { 'net.ipv4.ip_unprivileged_port_start': '1000' } },
    });
    const container = await node.runScript(id, 'sleep 1000');
    assert.equal(
      await node.output(container, 'cat', '/proc/sys/net/ipv4/ip_unprivileged_port_start'),
      '1000\n',
    );
  });

  test("a pod on the node's network cannot change the node by sysctls, and leaves nothing", async () => {
    const file = '/proc/sys/net/ipv4/tcp_fin_timeout';
    const before = readFileSync(file, 'utf8');
    const sysctls = { 'net.ipv4.tcp_fin_timeout': String(Number(before) + 1) };
    const namespaceOptions = { network: NamespaceMode.NODE, pid: NamespaceMode.CONTAINER };
    const pods = async () => (await node.cri.runtime.listPodSandbox()).items.length;
    const had = await pods();
    try {
      const refused = node.runPod({ linux: { sysctls, securityContext: { namespaceOptions } } });
      await assert.rejects(refused, { code: 'INVALID_ARGUMENT', message: /the pod uses the node's network/ });
      assert.equal(readFileSync(file, 'utf8'), before);
    } finally {
      writeFileSync(file, before);
    }
    assert.equal(await pods(), had);
  });

  test('stopping and removing unknown sandboxes succeeds, asking for their status is not found', async () => {
    await node.cri.runtime.stopPodSandbox({ podSandboxId: 'none' });
    await node.cri.runtime.removePodSandbox({ podSandboxId: 'none' });
    await assert.rejects(status('none'), { code: 'NOT_FOUND' });
  });

  test('plug-ins hear of a pod that was stopped with the addresses that it had, and without its namespaces', async () => {
    const podSandboxId = await node.runPod();
    const ip = (await status(podSandboxId))?.network?.ip;
    for (let time = 0; time < 2; time++) await node.cri.runtime.stopPodSandbox({ podSandboxId });
    assert.equal((await status(podSandboxId))?.network?.ip, '');
    const record = readFileSync(join(node.folder, 'runtime/sandboxes', podSandboxId, 'record.json'), 'utf8');
    const { ips, linux } = podView(decodeSandbox(record));
    assert.deepEqual([ips, linux?.namespaces], [[ip], []]);
  });

  test('a host-network sandbox shows no address and says that it uses the node', async () => {
    const namespaceOptions = { network: NamespaceMode.NODE, pid: NamespaceMode.CONTAINER };
    const shown = await status(await node.runPod({ linux: { securityContext: { namespaceOptions } } }));
    assert.equal(shown?.network?.ip, '');
    assert.equal(shown?.linux?.namespaces?.options?.network, NamespaceMode.NODE);
  });

  test('containers of a pod share shared memory, hostname and network, but not processes', async () => {
    const pod = await node.runPod({ hostname: 'shared-host' });
    const one = await node.runScript(
      pod,
      'echo here > /dev/shm/file; echo hello > /tmp/index.html; exec httpd -f -p 7000 -h /tmp',
    );
    const two = await node.runScript(pod, 'sleep 1000');
    assert.equal(await node.output(two, 'cat', '/dev/shm/file'), 'here\n');
    const get = 'printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc 127.0.0.1 7000';
    assert.equal(await node.output(two, 'hostname'), 'shared-host\n');
    await eventually(async () => (await node.output(two, 'sh', '-c', get)).endsWith('hello\n'));
    assert.doesNotMatch(await node.output(two, 'ps'), /httpd -f/);
    assert.match(await node.output(one, 'ps'), /httpd -f/);
  });

  test('a pod that shares its processes shows them all, and its first process reaps orphans', async () => {
    const pod = await node.runPod({
      linux: { securityContext: { namespaceOptions: { pid: NamespaceMode.POD } } },
    });
    const shared = { linux: { securityContext: { namespaceOptions: { pid: NamespaceMode.POD } } } };
    await node.runScript(pod, 'sleep 4321', shared);
    const two = await node.runScript(pod, '(sh -c "sleep 0.1 & exit" &); sleep 1000', shared);
    assert.match(await node.output(two, 'ps'), /sleep 4321/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.doesNotMatch(await node.output(two, 'ps'), /\[sleep\]|\bZ\b/);
    assert.match(await node.output(two, 'cat', '/proc/1/cmdline'), /pause/);
  });

  test('several pods that share their processes live beside each other', async () => {
    const shared = { linux: { securityContext: { namespaceOptions: { pid: NamespaceMode.POD } } } };
    const pods = await Promise.all([node.runPod(shared), node.runPod(shared)]);
    const later = await node.runPod(shared);
    assert.deepEqual(
      readdirSync(join(node.folder, 'runtime/pause/dev')),
      [],
      'nothing of theirs meets there',
    );
    for (const podSandboxId of [...pods, later]) {
      const { status } = await node.cri.runtime.podSandboxStatus({ podSandboxId });
      assert.equal(status?.state, PodSandboxState.SANDBOX_READY);
      await node.cri.runtime.removePodSandbox({ podSandboxId });
    }
  });

  test("a host port leads to the pod and is free after the pod's stop", async () => {
    const portMappings = [{ hostPort: 24680, containerPort: 80 }];
    const pod = await node.runPod({ portMappings });
    await node.runScript(pod, 'echo hello > /tmp/index.html; exec httpd -f -p 80 -h /tmp');
    await eventually(async () => (await fetchText(24680)) === 'hello\n');
    await assert.rejects(node.runPod({ portMappings }), /belongs to another pod/);
    await node.cri.runtime.stopPodSandbox({ podSandboxId: pod });
    await assert.rejects(fetchText(24680), { code: 'ECONNREFUSED' });
    await node.runPod({ portMappings });
  });

  test('resolv.conf is what the request says', async () => {
    const dnsConfig = { servers: ['10.0.0.10'], searches: ['a.test', 'b.test'], options: ['ndots:5'] };
    const container = await node.runScript(await node.runPod({ dnsConfig }), 'sleep 1000');
    const expected = 'search a.test b.test\nnameserver 10.0.0.10\noptions ndots:5\n';
    assert.equal(await node.output(container, 'cat', '/etc/resolv.conf'), expected);
  });

  test('a removed sandbox leaves no interface, mount or folder', async () => {
    const pod = await node.runPod();
    await node.runScript(pod, 'sleep 1000');
    await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
    assert.ok(!readdirSync(join(node.folder, 'runtime/sandboxes')).includes(pod));
    assert.ok(!readMountInfo().some(({ mountPoint }) => mountPoint.includes(pod)));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    assert.ok(
      !execFileSync('ip', ['link'])
        .toString()
        .includes(`wv${pod.slice(0, 12)}`),
    );
  });
});

/** Waits for a server that was just started. */
async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await check().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('it did not happen within 5 s');
}

function fetchText(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, agent: false, timeout: 2_000 }, async (response) => {
      resolve(await text(response));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}
