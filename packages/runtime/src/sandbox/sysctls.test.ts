import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NamespaceMode, type PodSandboxConfig } from '@wherry/cri';
import { sandboxSysctls } from './sysctls.ts';

const { NODE, POD } = NamespaceMode;

function paths(
  sysctls: Record<string, string>,
  modes: { network?: NamespaceMode; ipc?: NamespaceMode } = {},
): string[] {
  const namespaceOptions = { network: POD, pid: NamespaceMode.CONTAINER, ipc: POD, targetId: '', ...modes };
  const config = { linux: { sysctls, securityContext: { namespaceOptions } } };
  return sandboxSysctls(config as unknown as PodSandboxConfig).map(({ path }) => path);
}

test("sysctls of namespaces that the pod shares with the node are refused: they would be the node's", () => {
  assert.throws(
    () => paths({ 'net.core.somaxconn': '1' }, { network: NODE }),
    /the pod uses the node's network/,
  );
  assert.throws(
    () => paths({ 'net/core/somaxconn': '1' }, { network: NODE }),
    /the pod uses the node's network/,
  );
  assert.throws(
    () => paths({ 'kernel.shmmax': '1' }, { ipc: NODE }),
    /the pod uses the node's IPC namespace/,
  );
  assert.throws(() => paths({ 'fs.mqueue.msg_max': '1' }, { ipc: NODE }), /IPC namespace/);
  assert.throws(() => paths({ 'kernel.domainname': 'x' }, { network: NODE }), /the node's network/);
  assert.deepEqual(paths({ 'kernel.shmmax': '1' }, { network: NODE }), ['/proc/sys/kernel/shmmax']);
});

test("the machine's own sysctls are refused", () => {
  const names = [
    'kernel.core_pattern',
    'kernel.shm_next_id',
    'kernel.semaphore',
    'kernel.hostname',
    'vm.swappiness',
    'fs.mqueuefoo',
    'fs.file-max',
    'netfoo.bar',
  ];
  for (const name of names) assert.throws(() => paths({ [name]: '1' }), /belongs to the whole machine/, name);
});

test('a name that is no plain name, or a value of several lines, is refused (CVE-2022-0811)', () => {
  const names = [
    'net.ipv4.tcp_syncookies=1+kernel.core_pattern',
    'kernel.shm_rmid_forced+kernel.core_pattern',
    'net/ipv4/../../kernel/core_pattern',
    'net..kernel.core_pattern',
    'net.ipv4/../../kernel/core_pattern',
    '/net/core/somaxconn',
    'net/./core/somaxconn',
    'net.core.somaxconn\n',
    ' net.core.somaxconn',
    '',
  ];
  for (const name of names) assert.throws(() => paths({ [name]: '1' }), /is no name of a sysctl/, name);
  assert.throws(() => paths({ 'net.core.somaxconn': '1\n2' }), /a value of one line/);
});

test("an interface's name may hold the other separator", () => {
  const file = '/proc/sys/net/ipv4/conf/eth0.1/forwarding';
  const own = (name: string) => paths({ [name]: '1' }).at(-1);
  assert.equal(own('net/ipv4/conf/eth0.1/forwarding'), file);
  assert.equal(own('net.ipv4.conf.eth0/1.forwarding'), file);
});
