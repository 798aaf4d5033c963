/** The command lines of kubelets that installers write: all of them are taken, and what of them is configuration is read as such. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeletConfigurationFlags } from '@wherry/kubelet/configuration-flags';
import { readRoleLine } from '../../../test/role-line.ts';
import type { KubeletFlags } from '../kubelet.ts';

/** What it is handed of a command line; throws what its command says of a bad one. */
function readLine(...words: string[]): KubeletFlags {
  const { flags, said } = readRoleLine('kubelet', words);
  if (!flags) throw new Error(said);
  return flags as KubeletFlags;
}

const lines: Record<string, readonly string[]> = {
  // cmd/kubeadm/app/phases/kubelet/flags.go of 1.36, and its unit's drop-in.
  kubeadm: [
    '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf',
    ...['--kubeconfig=/etc/kubernetes/kubelet.conf', '--config=/var/lib/kubelet/config.yaml'],
    ...['--node-ip=10.0.0.1', '--hostname-override=one', '--register-with-taints=a=b:NoSchedule'],
    '--container-runtime-endpoint=unix:///run/containerd/containerd.sock',
  ],
  'nodeadm of EKS': [
    ...['--cloud-provider=external', '--config=/etc/kubernetes/kubelet/config.json', '--v=2'],
    ...['--config-dir=/etc/kubernetes/kubelet/config.json.d', '--hostname-override=ip-10-0-0-1'],
    ...['--kubeconfig=/var/lib/kubelet/kubeconfig', '--node-ip=10.0.0.1', '--runtime-cgroups=/runtime.slice'],
    '--image-credential-provider-bin-dir=/etc/eks/image-credential-provider',
    '--image-credential-provider-config=/etc/eks/image-credential-provider/config.json',
    '--node-labels=eks.amazonaws.com/nodegroup=a',
  ],
  k3s: [
    ...['--address=0.0.0.0', '--anonymous-auth=false', '--authentication-token-webhook=true'],
    ...['--authorization-mode=Webhook', '--cgroup-driver=cgroupfs', '--client-ca-file=/var/lib/ca.crt'],
    ...['--cloud-provider=external', '--cluster-dns=10.43.0.10', '--cluster-domain=cluster.local'],
    '--container-runtime-endpoint=unix:///run/k3s/containerd/containerd.sock',
    ...['--eviction-hard=imagefs.available<5%,nodefs.available<5%', '--fail-swap-on=false'],
    '--eviction-minimum-reclaim=imagefs.available=10%,nodefs.available=10%',
    ...['--healthz-bind-address=127.0.0.1', '--hostname-override=one', '--kubeconfig=/var/lib/kubeconfig'],
    ...['--node-labels=', '--read-only-port=0', '--serialize-image-pulls=false'],
    ...['--tls-cert-file=/var/lib/kubelet.crt', '--tls-private-key-file=/var/lib/kubelet.key'],
  ],
  kOps: [
    ...['--cgroup-root=/', '--cloud-provider=external', '--config=/var/lib/kubelet/kubelet.conf'],
    '--kubeconfig=/var/lib/kubelet/kubeconfig',
    ...[
      '--node-labels=node.kubernetes.io/size=a',
      '--v=2',
      '--runtime-cgroups=/system.slice/containerd.service',
    ],
    ...['--volume-plugin-dir=/usr/libexec/kubernetes/', '--pod-manifest-path=/etc/kubernetes/manifests'],
  ],
  minikube: [
    ...['--bootstrap-kubeconfig=/etc/a', '--cgroups-per-qos=false', '--config=/var/lib/kubelet/config.yaml'],
    ...[
      '--enforce-node-allocatable=',
      '--hostname-override=minikube',
      '--kubeconfig=/etc/b',
      '--node-ip=1.2.3.4',
    ],
  ],
};

for (const [installer, line] of Object.entries(lines))
  test(`the kubelet's command line of ${installer} is taken`, () => {
    const { configurationFlags = {} } = readLine(...line);
    const known = new Set(kubeletConfigurationFlags.map(({ name }) => name));
    const wanted = line
      .map((word) => /^--([^=]+)=(.*)$/.exec(word) ?? [])
      .filter(([, name]) => known.has(name ?? ''))
      .map(([, name, value]) => [name, [value]]);
    assert.deepEqual(configurationFlags, Object.fromEntries(wanted));
  });

test('flags that are not there are refused with what is so instead, and others as unknown', () => {
  assert.throws(() => readLine('--housekeeping-interval=5m'), /is not taken: there is no cAdvisor/);
  assert.throws(() => readLine('--vmodule=a=4'), /--vmodule is not taken: the log has -v alone/);
  assert.throws(() => readLine('--pod-infra-container-image=a'), /unknown option/);
});

test('a switch may stand alone, and what is given again is handed over again', () => {
  const { configurationFlags } = readLine('--fail-swap-on', '--cluster-dns=a', '--cluster-dns=b,c');
  assert.deepEqual(configurationFlags, { 'fail-swap-on': ['true'], 'cluster-dns': ['a', 'b,c'] });
});
