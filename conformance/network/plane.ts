/** Our API server and controllers on one machine, which kubeadm prepares so that others join. */
import { rmSync } from 'node:fs';
import { eventually } from '../../e2e/node.ts';
import { type Cluster, clusterOf } from '../peers/cluster.ts';
import { type ClusterFiles, makeClusterFiles } from '../peers/joining-node.ts';
import { serverFlags } from '../peers/own-plane.ts';
import { ignoredChecks, initConfiguration, joinConfiguration } from '../upstream/kubeadm-configuration.ts';
import type { Machine } from '../upstream/kubeadm-machine.ts';

/** The service of the API server. */
const serviceAddress = '10.96.0.1';

/** A control plane whose nodes get ranges of pods, and have kubeadm's kube-proxy and CoreDNS. */
export class Plane {
  readonly cluster: Cluster;
  readonly files: ClusterFiles;
  readonly #machine: Machine;
  #joinCommand = '';

  private constructor(machine: Machine, files: ClusterFiles) {
    this.#machine = machine;
    this.files = files;
    this.cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  }

  static async start(machine: Machine): Promise<Plane> {
    const url = `https://${machine.address}:6443`;
    const files = await makeClusterFiles(url, [machine.address, serviceAddress]);
    const plane = new Plane(machine, files);
    plane.#startServers();
    const isReady = async () => (await plane.cluster.kubectl(['get', '--raw', '/readyz'])).code === 0;
    await eventually('the API server', isReady);
    await plane.#prepare();
    return plane;
  }

  /** `kubeadm join` on a machine. */
  async join(machine: Machine): Promise<void> {
    const file = joinConfiguration(machine, this.#joinCommand);
    const words = ['join', '--config', file, `--ignore-preflight-errors=${ignoredChecks}`];
    await machine.runOk(['kubeadm', ...words], { timeoutMs: 180_000 });
  }

  /** Takes its files away, once its machine is gone. */
  remove(): void {
    rmSync(this.files.folder, { recursive: true, force: true });
  }

  #startServers(): void {
    const { at, kubeconfig } = this.files;
    const machine = this.#machine;
    const flags = serverFlags(this.files, 6443).filter(
      (flag) => !/^--(bind-address|kubelet-certificate-authority)/.test(flag),
    );
    machine.wherry('apiserver', [
      ...[`--data-dir=${at('store')}`, `--advertise-address=${machine.address}`, ...flags],
    ]);
    machine.wherry('controllers', [
      ...['--kubeconfig', kubeconfig, '--leader-elect=false', `--root-ca-file=${at('ca.crt')}`],
      `--service-account-private-key-file=${at('service-account.key')}`,
      `--cluster-signing-cert-file=${at('ca.crt')}`,
      `--cluster-signing-key-file=${at('ca.key')}`,
      ...['--allocate-node-cidrs', '--cluster-cidr=10.244.0.0/16'],
    ]);
  }

  async #prepare(): Promise<void> {
    const file = initConfiguration(this.#machine);
    const kubeadm = (...words: string[]) =>
      this.#machine.runOk(['kubeadm', ...words, '--kubeconfig', this.files.kubeconfig]);
    for (const phase of [['upload-config', 'all'], ['bootstrap-token'], ['addon', 'all']])
      await kubeadm('init', 'phase', ...phase, '--config', file);
    this.#joinCommand = await kubeadm('token', 'create', '--print-join-command');
  }
}
