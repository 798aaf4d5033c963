/** AppArmor profiles of containers, on a kernel that has it on: `npm run test:cgroup2 -- apparmor` starts one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import {
  type ContainerConfig,
  type Input,
  type LinuxContainerSecurityContext,
  ProfileType,
} from '@wherry/cri';
import { startTestNode, type TestNode } from './node.ts';

const loaded = '/sys/kernel/security/apparmor/profiles';
const why = !existsSync(loaded) && 'AppArmor is off on this machine';
const own = 'wherry-default (enforce)';
const parser = (action: string, text: string) =>
  execFileSync('apparmor_parser', [action, '--skip-cache'], { input: text });
const local = 'wherry-test';

suite('containers on a machine with AppArmor', { skip: why }, () => {
  let node: TestNode;
  let pod: string;

  before(async () => {
    parser(
      '--replace',
      `profile "${local}" flags=(attach_disconnected) { file, signal, deny /etc/passwd rw, }`,
    );
    node = await startTestNode(79);
    pod = await node.runPod();
  });
  after(async () => {
    await node?.close();
    parser('--remove', `profile "${local}" { }`);
  });

  const start = (securityContext: Input<LinuxContainerSecurityContext> = {}, into = pod) => {
    const config: Input<ContainerConfig> = { linux: { securityContext } };
    return node.runScript(into, 'exec sleep 1000', config);
  };
  const profileOf = async (container: string, pid = '1') =>
    (await node.output(container, 'cat', `/proc/${pid}/attr/current`)).trim();
  const named = (localhostRef: string) => ({
    apparmor: { profileType: ProfileType.Localhost, localhostRef },
  });

  test('have the default profile unless they ask for another, and so has what is executed in them', async () => {
    const plain = await start();
    assert.equal(await profileOf(plain), own);
    assert.equal(await profileOf(plain, 'self'), own);
    assert.equal(
      await profileOf(await start({ apparmor: { profileType: ProfileType.RuntimeDefault } })),
      own,
    );
  });

  test('mount nothing by the default profile, whatever their capabilities, and write where they may', async () => {
    const able = await start({ capabilities: { addCapabilities: ['SYS_ADMIN'] } });
    assert.match(await node.output(able, 'mount', '-t', 'tmpfs', 'none', '/tmp'), /denied/i);
    assert.match(
      await node.output(able, 'sh', '-c', 'echo 1 > /proc/sys/vm/drop_caches'),
      /denied|read-only/i,
    );
    assert.equal(await node.output(able, 'sh', '-c', 'echo x > /tmp/a && cat /tmp/a'), 'x\n');
  });

  test('have none when they are privileged, or ask for none', async () => {
    const privileged = await node.runPod({ linux: { securityContext: { privileged: true } } });
    assert.equal(await profileOf(await start({ privileged: true }, privileged)), 'unconfined');
    const free = await start({ apparmor: { profileType: ProfileType.Unconfined } });
    assert.equal(await profileOf(free), 'unconfined');
  });

  test('have a profile of the machine by its name, which binds them', async () => {
    const container = await start(named(local));
    assert.equal(await profileOf(container), `${local} (enforce)`);
    assert.match(await node.output(container, 'sh', '-c', 'echo x > /etc/passwd'), /denied/i);
  });

  test('are refused by name when their profile is not loaded', async () => {
    await assert.rejects(start(named('wherry-none')), {
      code: 'INVALID_ARGUMENT',
      message: 'AppArmor profile "wherry-none" is not loaded on this machine',
    });
  });

  test('have the default profile again after somebody has unloaded it, and end when they are told to', async () => {
    parser('--remove', 'profile "wherry-default" { }');
    assert.ok(!readFileSync(loaded, 'utf8').includes('wherry-default'));
    const container = await start();
    assert.equal(await profileOf(container), own);
    await node.cri.runtime.stopContainer({ containerId: container, timeout: 0 });
    assert.equal((await node.ended(container)).exitCode, 137);
  });
});
