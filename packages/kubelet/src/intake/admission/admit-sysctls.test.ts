import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normalSysctl, type PodSpec } from '@wherry/kubeapi';
import { container, pod } from '../../../test/builders.ts';
import { sysctlRefusal } from './admit-sysctls.ts';

function refusal(name: string, spec: Partial<PodSpec> = {}, allowed: string[] = []): string | undefined {
  const securityContext = { sysctls: [{ name, value: '1' }] };
  return sysctlRefusal(pod({ containers: [container('a')], securityContext, ...spec }), allowed);
}

describe('sysctlRefusal', () => {
  it('takes a safe sysctl in either notation', () => {
    assert.equal(refusal('net.ipv4.tcp_syncookies'), undefined);
    assert.equal(refusal('net/ipv4/tcp_syncookies'), undefined);
  });

  it("refuses a sysctl of the node's own network to a pod of the host network", () => {
    assert.equal(
      refusal('net.ipv4.ip_unprivileged_port_start', { hostNetwork: true }),
      'forbidden sysctl: "net.ipv4.ip_unprivileged_port_start" not allowed with host Net enabled',
    );
    assert.equal(
      refusal('net.core.somaxconn', { hostNetwork: true }, ['net.core.*']),
      'forbidden sysctl: "net.core.somaxconn" not allowed with host Net enabled',
    );
  });

  it("refuses a sysctl of the node's own IPC to a pod of the host IPC", () => {
    assert.match(
      refusal('kernel.shm_rmid_forced', { hostIPC: true }) ?? '',
      /not allowed with host IPC enabled$/,
    );
    assert.match(refusal('kernel.shmmax', { hostIPC: true }, ['kernel.shm*']) ?? '', /host IPC enabled$/);
  });

  it('refuses an unsafe sysctl that the configuration does not allow', () => {
    assert.equal(refusal('net.core.somaxconn'), 'forbidden sysctl: "net.core.somaxconn" not allowlisted');
    assert.equal(refusal('net.core.somaxconn', {}, ['net.core.*']), undefined);
    assert.equal(refusal('kernel.msgmax', {}, ['kernel.msgmax']), undefined);
  });

  it('keeps the dots of an interface name', () => {
    assert.equal(normalSysctl('net/ipv4/conf/eth0.1/forwarding'), 'net.ipv4.conf.eth0/1.forwarding');
    assert.equal(normalSysctl('net.ipv4.conf.eth0/1.forwarding'), 'net.ipv4.conf.eth0/1.forwarding');
  });
});
