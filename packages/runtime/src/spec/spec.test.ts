import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ProfileType } from '@wherry/cri';
import { groupPathOf, isSystemdBooted, makeFifo, runsX32 } from '@wherry/linux';
import { settingsOf } from '../runtime-options.ts';
import { capabilitiesOf, containerCapabilities } from './capabilities.ts';
import { cgroupsPath, podGroupPath, scopeAnnotations } from './cgroup-path.ts';
import { orderMounts } from './mounts.ts';
import { seccompOf } from './seccomp.ts';

const all = capabilitiesOf((1n << 41n) - 1n);
const capability = (add: string[], drop: string[]) =>
  containerCapabilities(
    { addCapabilities: add, dropCapabilities: drop, addAmbientCapabilities: [] },
    { privileged: false, available: all },
  );

test('adding ALL and dropping one leaves all but that one', () => {
  const left = capability(['ALL'], ['CHOWN']);
  assert.equal(left.length, all.length - 1);
  assert.ok(!left.includes('CAP_CHOWN'));
});

test('dropping ALL and adding one leaves one', () => {
  assert.deepEqual(capability(['net_bind_service'], ['ALL']), ['CAP_NET_BIND_SERVICE']);
});

test('a container without wishes has the fourteen usual capabilities', () => {
  assert.equal(capability([], []).length, 14);
});

test('a capability that does not exist is refused', () => {
  assert.throws(() => capability(['FLY'], []), /"FLY" does not exist/);
});

test('capabilities that the machine lacks are not asked for', () => {
  const available = all.filter((name) => name !== 'CAP_SYS_RESOURCE');
  assert.deepEqual(containerCapabilities(undefined, { privileged: true, available }), available);
});

test('a slice parent gives a scope under systemd and a folder under cgroupfs', () => {
  const at = (driver: 'systemd' | 'cgroupfs') =>
    cgroupsPath({ driver, parent: '/kubepods.slice/kubepods-pod1.slice', defaultParent: '/x', id: 'c' });
  assert.equal(at('systemd'), 'kubepods-pod1.slice:wherry:c');
  assert.equal(groupPathOf(at('systemd')), '/kubepods.slice/kubepods-pod1.slice/wherry-c.scope');
  assert.deepEqual(scopeAnnotations(at('systemd')).annotations, { 'run.oci.systemd.subgroup': '' });
  assert.deepEqual(scopeAnnotations(at('cgroupfs')), {});
  assert.equal(at('cgroupfs'), '/kubepods.slice/kubepods-pod1.slice/c');
});

test("the request's mount replaces ours at the same place, and a /dev of its own all below", () => {
  const mount = (destination: string, source = 'ours') => ({ destination, source, options: [] });
  const own = [mount('/proc'), mount('/dev'), mount('/dev/shm'), mount('/etc/hosts')];
  const ordered = orderMounts(own, [mount('/etc/hosts', 'theirs'), mount('/dev', 'theirs')]);
  assert.deepEqual(
    ordered.map(({ destination, source }) => [destination, source]),
    [
      ['/proc', 'ours'],
      ['/dev', 'theirs'],
      ['/etc/hosts', 'theirs'],
    ],
  );
});

const profile = (profileType: ProfileType, localhostRef = '') => ({
  seccomp: { profileType, localhostRef },
  seccompProfilePath: '',
  privileged: false,
});

test('the default seccomp profile allows mount only with CAP_SYS_ADMIN', () => {
  const allows = (capabilities: string[]) =>
    seccompOf(profile(ProfileType.RuntimeDefault), capabilities)?.syscalls.some(
      ({ names, action }) => names.includes('mount') && action === 'SCMP_ACT_ALLOW',
    );
  assert.equal(allows([]), false);
  assert.equal(allows(['CAP_SYS_ADMIN']), true);
});

test("the default seccomp profile opens no socket to the kernel's cryptography or to virtual machines", () => {
  const algorithms = 38;
  const virtualMachines = 40;
  const rules = seccompOf(profile(ProfileType.RuntimeDefault), all)?.syscalls ?? [];
  const sockets = rules.filter(({ names }) => names.includes('socket'));
  const isAllowed = (family: number) =>
    sockets.some(({ args = [], action }) => {
      const [condition] = args;
      assert.equal(args.length, 1, 'several conditions of one rule are alternatives in runc');
      const { op, value } = condition ?? { op: '', value: 0 };
      const fits = op === 'SCMP_CMP_LT' ? family < value : op === 'SCMP_CMP_EQ' && family === value;
      return action === 'SCMP_ACT_ALLOW' && fits;
    });
  const open = Array.from({ length: 50 }, (_, family) => family).filter(isAllowed);
  assert.ok([1, 2, 10, 16, 17, 39, 45].every((family) => open.includes(family)));
  assert.ok(![algorithms, virtualMachines, 46, 49].some((family) => open.includes(family)));
});

test("the default seccomp profile names x32's calls where the kernel knows them alone", {
  skip: process.arch !== 'x64',
}, () => {
  const names = seccompOf(profile(ProfileType.RuntimeDefault), [])?.architectures;
  const expected = ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', ...(runsX32() ? ['SCMP_ARCH_X32'] : [])];
  assert.deepEqual(names, expected);
});

test('privileged and unconfined containers have no seccomp profile', () => {
  assert.equal(seccompOf({ ...profile(ProfileType.RuntimeDefault), privileged: true }, []), undefined);
  assert.equal(seccompOf(profile(ProfileType.Unconfined), []), undefined);
});

test('a seccomp profile that is a pipe, or no profile, is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'seccomp-'));
  try {
    makeFifo(join(folder, 'pipe'), 0o600);
    writeFileSync(join(folder, 'list.json'), '[]');
    const at = (name: string) => () => seccompOf(profile(ProfileType.Localhost, join(folder, name)), []);
    assert.throws(at('pipe'), /"[^"]*pipe" is no regular file/);
    assert.throws(at('list.json'), /is no profile/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a seccomp profile of type Localhost without a path is refused, not left out (CVE-2023-2431)', () => {
  const refusal = { code: 'INVALID_ARGUMENT', message: /must be an absolute path/ };
  assert.throws(() => seccompOf(profile(ProfileType.Localhost, ''), []), refusal);
  const asText = { seccompProfilePath: 'localhost/', privileged: false };
  assert.throws(() => seccompOf(asText, []), refusal);
});

test('a missing seccomp profile file is refused', () => {
  assert.throws(() => seccompOf(profile(ProfileType.Localhost, '/nowhere/profile.json'), []), {
    code: 'INVALID_ARGUMENT',
  });
});

test('with the systemd driver a parent that is no slice is refused by name, and a slice may be named alone', () => {
  const under = (parent: string) =>
    cgroupsPath({ driver: 'systemd', parent, defaultParent: 'wherry.slice', id: 'c' });
  assert.throws(() => under('/kubepods/pod1'), {
    code: 'INVALID_ARGUMENT',
    message: /cgroup parent "\/kubepods\/pod1": .* want a name such as kubepods\.slice/,
  });
  assert.equal(under(''), 'wherry.slice:wherry:c');
  assert.equal(podGroupPath('a-b.slice', 'systemd'), '/a.slice/a-b.slice');
  assert.equal(podGroupPath('/a-b.slice', 'cgroupfs'), '/a-b.slice');
});

test('the systemd driver is refused by name where systemd has not started the machine, and so is a root that is no slice', () => {
  const options = {
    dataDir: '/nowhere',
    monitorSocketPath: '/nowhere/socket',
    cgroupDriver: 'systemd' as const,
    cgroupRoot: '/wherry',
  };
  const why = isSystemdBooted()
    ? /cgroup root "\/wherry": .* a slice/
    : /cgroup driver "systemd": .* use cgroupfs/;
  assert.throws(() => settingsOf(options), why);
});

test('folders of CDI files have to be absolute', () => {
  const options = { dataDir: '/nowhere', monitorSocketPath: '/nowhere/socket', cdiSpecDirs: ['cdi'] };
  assert.throws(() => settingsOf(options), /CDI folder "cdi": want an absolute path/);
});
