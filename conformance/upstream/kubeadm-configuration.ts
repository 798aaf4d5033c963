/** What kubeadm is told. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { clusterOf } from '../peers/cluster.ts';
import { imageRepository, kubernetesVersion } from './kubeadm-images.ts';
import type { Machine } from './kubeadm-machine.ts';

const apiVersion = 'kubeadm.k8s.io/v1beta4';

/** Checks of kubeadm that this machine may fail: how its kernel is configured, and its control groups. */
export const ignoredChecks = 'SystemVerification';

const nodeRegistration = ({ endpoint, name }: Machine) => ({
  ...{ name, criSocket: endpoint },
  imagePullPolicy: 'IfNotPresent',
});

/** Writes a file and answers its path. */
function write(machine: Machine, name: string, documents: readonly object[]): string {
  writeFileSync(machine.at(name), documents.map((each) => JSON.stringify(each)).join('\n---\n'));
  return machine.at(name);
}

/** What differs between the kubelets of machines that share control groups: a folder of kubeadm's patches. */
function patches(machine: Machine): { directory: string } {
  const directory = machine.at('patches');
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    `${directory}/kubeletconfiguration+merge.json`,
    JSON.stringify({ cgroupRoot: machine.cgroupRoot }),
  );
  return { directory };
}

const kubeletConfiguration = {
  ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
  // No systemd has started these machines; their disk may be fuller than a server's.
  ...{ cgroupDriver: 'cgroupfs', failCgroupV1: false, failSwapOn: false },
  ...{ imageGCHighThresholdPercent: 100, evictionHard: { 'memory.available': '100Mi' } },
};

const proxyConfiguration = {
  ...{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', mode: 'nftables' },
  // How many connections are tracked is the kernel's to say in a network namespace.
  conntrack: { maxPerCore: 0, min: 0 },
};

/** Of `kubeadm init`, and of its phases; `more` is of the kubelets' configuration, `cluster` of the cluster's, `proxy` of kube-proxy's. */
export const initConfiguration = (
  machine: Machine,
  more: object = {},
  cluster: object = {},
  proxy: object = {},
): string =>
  write(machine, 'init.yaml', [
    {
      ...{ apiVersion, kind: 'InitConfiguration' },
      nodeRegistration: nodeRegistration(machine),
      localAPIEndpoint: { advertiseAddress: machine.address, bindPort: 6443 },
      patches: patches(machine),
    },
    {
      ...{ apiVersion, kind: 'ClusterConfiguration', imageRepository, kubernetesVersion },
      networking: { podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/16' },
      ...cluster,
    },
    { ...kubeletConfiguration, ...more },
    { ...proxyConfiguration, ...proxy },
  ]);

/**
 * Of `kubeadm join`, by what `kubeadm token create --print-join-command` printed: with the key of uploaded certificates as another
 * control plane.
 */
export function joinConfiguration(machine: Machine, command: string, taints: readonly object[] = []): string {
  const [, apiServerEndpoint] = /kubeadm join (\S+)/.exec(command) ?? [];
  const [, token] = /--token (\S+)/.exec(command) ?? [];
  const [, certificateKey] = /--certificate-key (\S+)/.exec(command) ?? [];
  const caCertHashes = [...command.matchAll(/--discovery-token-ca-cert-hash (\S+)/g)].map(([, hash]) => hash);
  return write(machine, 'join.yaml', [
    {
      ...{ apiVersion, kind: 'JoinConfiguration' },
      nodeRegistration: { ...nodeRegistration(machine), taints },
      discovery: { bootstrapToken: { apiServerEndpoint, token, caCertHashes } },
      ...(certificateKey !== undefined && {
        controlPlane: { certificateKey, localAPIEndpoint: { advertiseAddress: machine.address } },
      }),
      patches: patches(machine),
    },
  ]);
}

/** Changes what kubeadm keeps of a cluster, as who edits the ConfigMap does. */
export async function changeConfigMap(
  cluster: ReturnType<typeof clusterOf>,
  name: string,
  key: string,
  change: (text: string) => string,
): Promise<void> {
  const words = ['-n', 'kube-system', 'get', 'configmap', name, '-o', 'json'];
  const { data } = JSON.parse(await cluster.kubectlOk(words)) as { data: Record<string, string> };
  const before = data[key] ?? '';
  const changed = change(before);
  assert.notEqual(changed, before);
  const patch = JSON.stringify({ data: { [key]: changed } });
  await cluster.kubectlOk(['-n', 'kube-system', 'patch', 'configmap', name, '-p', patch]);
}
