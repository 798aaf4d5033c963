import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  type ContainerConfig,
  type Input,
  NamespaceMode,
  type PodSandboxConfig,
  type UserNamespace,
} from '@wherry/cri';
import { startTestNode, type TestNode } from './node.ts';

const hostId = 131_072;
const mapping = [{ containerId: 0, hostId, length: 65_536 }];
const usernsOptions = { mode: NamespaceMode.POD, uids: mapping, gids: mapping };
const namespaceOptions = { pid: NamespaceMode.CONTAINER, usernsOptions };

/** A pod's configuration with users of its own. */
const ofOwnUsers = (change: Input<PodSandboxConfig['linux'] & object> = {}): Input<PodSandboxConfig> => ({
  linux: { securityContext: { namespaceOptions }, ...change },
});
const containerLinux: Input<ContainerConfig> = { linux: { securityContext: { namespaceOptions } } };

suite('pods with users of their own', () => {
  let node: TestNode;
  let pod: string;
  before(async () => {
    node = await startTestNode(34);
    pod = await node.runPod(ofOwnUsers());
  });
  after(() => node.close());

  const pidOf = async (containerId: string): Promise<number> => {
    const { info } = await node.cri.runtime.containerStatus({ containerId, verbose: true });
    return (JSON.parse(info['info'] ?? '{}') as { pid: number }).pid;
  };

  test('the handlers say that they can have them', async () => {
    const { runtimeHandlers } = await node.cri.runtime.status({});
    assert.deepEqual(
      runtimeHandlers.map(({ features }) => features?.userNamespaces),
      [true, true],
    );
  });

  test('root inside is nobody of the machine, and owns its root file system, network and /sys', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000', containerLinux);
    assert.equal(
      (await node.output(container, 'cat', '/proc/self/uid_map')).trim().split(/\s+/).join(' '),
      `0 ${hostId} 65536`,
    );
    assert.equal(statSync(`/proc/${await pidOf(container)}`).uid, hostId);
    assert.equal(
      (
        await node.output(
          container,
          'stat',
          '-c',
          '%u:%g',
          '/',
          '/etc/passwd',
          '/etc/hosts',
          '/dev/shm',
          '/etc/resolv.conf',
        )
      ).trim(),
      Array(5).fill('0:0').join('\n'),
    );
    assert.match(
      await node.output(
        container,
        'sh',
        '-c',
        'ip link add type dummy 2>&1; ls /sys/class/net; echo ok > /etc/made; cat /etc/made',
      ),
      /eth0[\s\S]*ok/,
    );
    assert.match(
      await node.output(container, 'sh', '-c', 'mknod /tmp/disk b 254 0 2>&1; echo $?'),
      /not permitted[\s\S]*1/,
    );
    await node.cri.runtime.removeContainer({ containerId: container });
  });

  test('its output is written, also through /dev/stdout and by another user; exit codes come back', async () => {
    const linux = { linux: { securityContext: { namespaceOptions, runAsUser: { value: 1000 } } } };
    const running = await node.runScript(pod, 'exec sleep 1000', linux);
    assert.equal(await node.output(running, 'sh', '-c', 'echo out > /dev/stdout'), 'out\n');
    const container = await node.runScript(pod, 'id -u; echo again > /dev/stdout; exit 7', {
      ...linux,
      logPath: 'written.log',
    });
    assert.equal((await node.ended(container)).exitCode, 7);
    assert.match(node.log('written.log'), /F 1000\n.*F again\n/);
  });

  test('owners of volumes are mapped where the request says so', async () => {
    const source = join(node.folder, 'volume');
    mkdirSync(source);
    writeFileSync(join(source, 'private'), 'of root', { mode: 0o600 });
    chownSync(source, 0, 0);
    const plain = join(node.folder, 'plain');
    mkdirSync(plain);
    chmodSync(plain, 0o777);
    const container = await node.runScript(pod, 'exec sleep 1000', {
      ...containerLinux,
      mounts: [
        { containerPath: '/volume', hostPath: source, uidMappings: mapping, gidMappings: mapping },
        { containerPath: '/plain', hostPath: plain },
      ],
    });
    assert.equal(await node.output(container, 'cat', '/volume/private'), 'of root');
    await node.output(container, 'sh', '-c', 'echo x > /volume/made; echo x > /plain/made');
    assert.equal(statSync(join(source, 'made')).uid, 0);
    assert.equal(statSync(join(plain, 'made')).uid, hostId);
    const { status } = await node.cri.runtime.containerStatus({ containerId: container });
    assert.equal(status?.mounts[0]?.hostPath, source);
    await node.cri.runtime.removeContainer({ containerId: container });
    assert.equal(readFileSync(join(source, 'private'), 'utf8'), 'of root');
  });

  test('sysctls of its namespaces are set, and processes shared', async () => {
    const options = { pid: NamespaceMode.POD, usernsOptions };
    const shared = await node.runPod(
      ofOwnUsers({
        sysctls: { 'kernel.shm_rmid_forced': '1', 'net.ipv4.ip_local_port_range': '2000 3000' },
        securityContext: { namespaceOptions: options },
      }),
    );
    const linux = { linux: { securityContext: { namespaceOptions: options } } };
    const container = await node.runScript(shared, 'exec sleep 1000', linux);
    assert.match(await node.output(container, 'ps'), /\/pause[\s\S]*sleep 1000/);
    assert.equal(
      (
        await node.output(
          container,
          'cat',
          '/proc/sys/kernel/shm_rmid_forced',
          '/proc/sys/net/ipv4/ip_local_port_range',
        )
      )
        .replace(/\s+/g, ' ')
        .trim(),
      '1 2000 3000',
    );
    await node.cri.runtime.removePodSandbox({ podSandboxId: shared });
  });

  test('refuses mappings that cannot be, by what is wrong with them', async () => {
    const run = (options: Input<UserNamespace>, other = {}) =>
      node.runPod({ linux: { securityContext: { namespaceOptions: { ...other, usernsOptions: options } } } });
    const cases: [Promise<unknown>, RegExp][] = [
      [run({ ...usernsOptions, uids: [...mapping, ...mapping] }), /exactly one mapping of users, got 2/],
      [run({ ...usernsOptions, gids: [] }), /exactly one mapping of groups, got 0/],
      [run({ ...usernsOptions, uids: [{ containerId: 1, hostId, length: 10 }] }), /must begin at id 0/],
      [run({ ...usernsOptions, mode: NamespaceMode.CONTAINER }), /mode CONTAINER is not supported/],
      [run({ ...usernsOptions, mode: NamespaceMode.TARGET }), /mode TARGET is not supported/],
      [run(usernsOptions, { network: NamespaceMode.NODE }), /shares network with the machine/],
    ];
    for (const [call, why] of cases) await assert.rejects(call, (error: Error) => why.test(error.message));
    const others = [{ containerId: 0, hostId: hostId * 2, length: 65_536 }];
    const different = { mode: NamespaceMode.POD, uids: others, gids: others };
    await assert.rejects(
      node.runScript(pod, 'true', {
        linux: { securityContext: { namespaceOptions: { usernsOptions: different } } },
      }),
      /must be those of its pod sandbox/,
    );
    await assert.rejects(
      node.runScript(pod, 'true', {
        ...containerLinux,
        mounts: [{ containerPath: '/x', hostPath: '/tmp', uidMappings: others, gidMappings: others }],
      }),
      /mappings must be those of the pod/,
    );
  });

  test('a restarted runtime goes on with them, and nothing is left of removed ones', async () => {
    const container = await node.runScript(pod, 'exec sleep 1000', containerLinux);
    await node.restart();
    assert.equal((await node.output(container, 'id', '-u')).trim(), '0');
    const another = await node.runScript(pod, 'exec sleep 1000', containerLinux);
    assert.equal((await node.output(another, 'id', '-u')).trim(), '0');
    await node.cri.runtime.removePodSandbox({ podSandboxId: pod });
    const stage = join('/run/wherry', node.bridgeName);
    assert.deepEqual(existsSync(stage) ? readdirSync(stage) : [], []);
  });
});
