/** A cluster of several machines: a control plane on one, and nodes whose pods reach each other by routes. */
import { mkdirSync, rmSync } from 'node:fs';
import { createCriClient } from '@wherry/cri';
import { createImageClient, packTree } from '@wherry/images';
import { type Cluster, clusterOf } from '../../conformance/peers/cluster.ts';
import { type ClusterFiles, kubeconfigText, makeClusterFiles } from '../../conformance/peers/joining-node.ts';
import { serverFlags } from '../../conformance/peers/own-plane.ts';
import { etcdProgram } from '../../conformance/upstream/etcd.ts';
import { writeFiles } from '../../packages/apiserver/test/pki.ts';
import { clusterDnsEndpoint, clusterDnsService } from '../../packages/node/src/addons/cluster-dns.ts';
import type { NodeRecord } from '../../packages/node/src/layout/record.ts';
import { fillTree, testImage } from '../image.ts';
import { eventually } from '../node.ts';
import { Machine } from './machine.ts';
import { Wire } from './wire.ts';

const apiPort = 6443;
/** Last parts of addresses: of the machines of the control plane, of their store, and the one that goes to whichever of them lives. */
const numbers = { planes: [1, 11], etcd: 21, shared: 100 };
const etcdPort = 2379;

/** A node renews its lease each second; 8 s of silence are enough to be given up. */
export const times = { leaseSeconds: 4, graceSeconds: 8 };

/** What differs between clusters. */
export interface MachinesOptions {
  /** Names of the nodes. */
  nodes: readonly string[];
  /** Kubelets find their addresses by themselves, and ask for their serving certificates. */
  findsAddresses?: boolean;
  /** Two machines of the control plane on one etcd, at an address that {@link Machines.share} moves. Default: one, on SQLite. */
  hasTwoPlanes?: boolean;
  /** Flags more of the API server. */
  serverFlags?: readonly string[];
}

/** Machines that are one cluster. */
export class Machines {
  readonly wire: Wire;
  readonly planes: readonly Machine[];
  readonly etcd: Machine | undefined;
  readonly nodes = new Map<string, Machine>();
  readonly cluster: Cluster;
  readonly files: ClusterFiles;
  readonly #options: MachinesOptions;
  readonly #apiAddress: string;
  #hasDns = false;

  private constructor(wire: Wire, planes: Machine[], files: ClusterFiles, options: MachinesOptions) {
    this.wire = wire;
    this.planes = planes;
    this.files = files;
    this.#apiAddress = apiAddressOf(wire, options);
    if (options.hasTwoPlanes) this.etcd = new Machine({ wire, name: 'etcd', number: numbers.etcd });
    this.#options = options;
    this.cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  }

  /** Starts them and waits until all nodes are Ready. */
  static async start(options: MachinesOptions): Promise<Machines> {
    const wire = new Wire();
    await wire.lay();
    const planes = numbers.planes
      .slice(0, options.hasTwoPlanes ? 2 : 1)
      .map((number, index) => new Machine({ wire, name: `plane-${index}`, number }));
    const address = apiAddressOf(wire, options);
    const names = [address, ...planes.map(({ address }) => address), '10.96.0.1'];
    const files = await makeClusterFiles(`https://${address}:${apiPort}`, names);
    const machines = new Machines(wire, planes, files, options);
    try {
      await machines.#begin();
    } catch (error) {
      await machines.remove();
      throw error;
    }
    return machines;
  }

  node(name: string): Machine {
    const machine = this.nodes.get(name);
    if (!machine) throw new Error(`no machine ${name}`);
    return machine;
  }

  /** The machine of the control plane, or the first. */
  get plane(): Machine {
    return this.planes[0]!;
  }

  startServer(plane = this.plane): void {
    const flags = serverFlags(this.files, apiPort).filter((flag) => !flag.startsWith('--bind-address'));
    const store = this.etcd
      ? `--etcd-servers=http://${this.etcd.address}:${etcdPort}`
      : `--data-dir=${plane.at('store')}`;
    const more = this.#options.serverFlags ?? [];
    plane.wherry('apiserver', [store, `--advertise-address=${plane.address}`, ...flags, ...more]);
  }

  startControllers(plane = this.plane): void {
    const { at, kubeconfig } = this.files;
    plane.wherry('controllers', [
      ...['--kubeconfig', kubeconfig, '--node-monitor-period=1s'],
      `--node-monitor-grace-period=${times.graceSeconds}s`,
      `--root-ca-file=${at('ca.crt')}`,
      `--service-account-private-key-file=${at('service-account.key')}`,
      ...['--cluster-signing-cert-file', at('ca.crt'), '--cluster-signing-key-file', at('ca.key')],
    ]);
  }

  /** Gives a machine the address at which clients look for an API server, and takes it from those that are on. */
  async share(plane: Machine): Promise<void> {
    const words = [`${this.#apiAddress}/24`, 'dev', 'eth0'];
    for (const other of this.planes) if (other.isOn) await other.run(['ip', 'address', 'del', ...words]);
    await plane.runOk(['ip', 'address', 'add', ...words]);
    await plane.runOk(['busybox', 'arping', '-q', '-c', '1', '-U', '-I', 'eth0', this.#apiAddress]);
  }

  untilServerIsReady(): Promise<unknown> {
    return eventually('the API server', async () => {
      return (await this.cluster.kubectl(['get', '--raw', '/readyz'])).code === 0;
    });
  }

  /** Starts what a node consists of, on a machine that is on. */
  async startNode(name: string): Promise<void> {
    const machine = this.node(name);
    await this.#layRoutes(machine);
    const podCidr = podCidrOf(machine);
    machine.wherry('monitor', [`--data-dir=${machine.at('monitor')}`, '--address=/run/monitor.sock']);
    machine.wherry('runtime', [
      ...[`--data-dir=${machine.at('runtime')}`, '--address', machine.at('cri.sock')],
      ...['--image-address', machine.at('images.sock'), '--monitor-address=/run/monitor.sock'],
      ...['--pod-cidr', podCidr, `--cgroup-root=${machine.cgroupRoot}`],
    ]);
    machine.wherry('network', [
      ...['--kubeconfig', this.files.kubeconfig, '--hostname-override', name, '--pod-cidr', podCidr],
      ...['--dns-bind-address', podCidr.replace('.0/24', '.1')],
    ]);
    this.startKubelet(name);
  }

  startKubelet(name: string): void {
    const machine = this.node(name);
    machine.wherry('kubelet', [
      ...['--config', machine.at('kubelet.json'), '--kubeconfig', machine.at('kubelet.kubeconfig')],
      ...['--root-dir', machine.at('kubelet'), '--hostname-override', name],
      ...(this.#options.findsAddresses ? [] : ['--node-ip', machine.address]),
    ]);
  }

  /** Gives a machine another address, by its last part, and leads the ranges of pods there. */
  async readdress(name: string, number: number): Promise<void> {
    const machine = this.node(name);
    await machine.readdress(`${this.wire.network}.${number}`);
    await this.#layRoutes(machine);
  }

  async remove(): Promise<void> {
    for (const machine of [...this.nodes.values(), ...this.planes]) await machine.remove();
    await this.etcd?.remove();
    await this.wire.remove();
    rmSync(this.files.folder, { recursive: true, force: true });
  }

  async #begin(): Promise<void> {
    await this.#startEtcd();
    for (const plane of this.planes) {
      await plane.switchOn();
      this.startServer(plane);
    }
    if (this.etcd) await this.share(this.plane);
    await this.untilServerIsReady();
    for (const plane of this.planes) this.startControllers(plane);
    for (const [index, name] of this.#options.nodes.entries()) await this.#addNode(name, index + 2);
    for (const name of this.nodes.keys()) await this.untilReady(name);
  }

  async #startEtcd(): Promise<void> {
    if (!this.etcd) return;
    await this.etcd.switchOn();
    const url = `http://${this.etcd.address}:${etcdPort}`;
    this.etcd.start('etcd', etcdProgram(), [
      ...[`--data-dir=${this.etcd.at('etcd')}`, '--unsafe-no-fsync'],
      ...[`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`],
    ]);
  }

  async untilReady(name: string): Promise<void> {
    const words = ['wait', '--for=condition=Ready', `node/${name}`, '--timeout=60s'];
    await eventually('the node', async () => (await this.cluster.kubectl(['get', 'node', name])).code === 0);
    await this.cluster.kubectlOk(words);
  }

  async #addNode(name: string, number: number): Promise<void> {
    const machine = new Machine({ wire: this.wire, name, number });
    this.nodes.set(name, machine);
    await this.writeNodeFiles(machine);
    await machine.switchOn();
    await this.startNode(name);
    await buildImage(machine);
    await this.#nameDns(machine);
  }

  /** The cluster's DNS on a machine answers the pods of that machine. */
  async #nameDns(machine: Machine): Promise<void> {
    const record = { name: machine.name, podCidr: podCidrOf(machine) };
    const objects = [...(this.#hasDns ? [] : [clusterDnsService]), clusterDnsEndpoint(record as NodeRecord)];
    this.#hasDns = true;
    const stdin = objects.map((object) => JSON.stringify(object)).join('\n');
    await this.cluster.kubectlOk(['apply', '-f', '-'], { stdin });
  }

  /** Certificates and configuration of a node's kubelet. */
  async writeNodeFiles(machine: Machine): Promise<void> {
    const { authority, at } = this.files;
    const { name } = machine;
    const hosts = [name, machine.address];
    const client = await authority.issue({ name: `system:node:${name}`, groups: ['system:nodes'] });
    const serving = await authority.issue({ name: `system:node:${name}`, hosts });
    const user = {
      'client-certificate-data': Buffer.from(client.cert).toString('base64'),
      'client-key-data': Buffer.from(client.key).toString('base64'),
    };
    const server = `https://${this.#apiAddress}:${apiPort}`;
    const configuration = {
      ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
      authentication: { webhook: { enabled: true }, x509: { clientCAFile: at('ca.crt') } },
      authorization: { mode: 'Webhook' },
      ...(this.#options.findsAddresses
        ? { serverTLSBootstrap: true }
        : { tlsCertFile: machine.at('serving.crt'), tlsPrivateKeyFile: machine.at('serving.key') }),
      containerRuntimeEndpoint: `unix://${machine.at('cri.sock')}`,
      ...{ podLogsDir: machine.at('pod-logs'), cgroupDriver: 'cgroupfs', cgroupRoot: machine.cgroupRoot },
      ...{ failSwapOn: false, failCgroupV1: false, imageGCHighThresholdPercent: 100, healthzPort: 0 },
      ...{ evictionHard: { 'memory.available': '100Mi' }, staticPodPath: machine.at('manifests') },
      ...{ clusterDNS: ['10.96.0.10'], clusterDomain: 'cluster.local', resolvConf: '' },
      nodeLeaseDurationSeconds: times.leaseSeconds,
    };
    mkdirSync(machine.at('manifests'), { recursive: true });
    writeFiles(machine.disk, {
      ...{ 'serving.crt': serving.cert, 'serving.key': serving.key },
      'kubelet.kubeconfig': kubeconfigText(server, authority.cert, user),
      'kubelet.json': JSON.stringify(configuration),
    });
  }

  async #layRoutes(machine: Machine): Promise<void> {
    for (const other of this.nodes.values()) {
      if (other === machine) continue;
      await machine.runOk(['ip', 'route', 'replace', podCidrOf(other), 'via', other.address]);
      // The other may be off, and lays its own when it is on.
      await other.run(['ip', 'route', 'replace', podCidrOf(machine), 'via', machine.address]);
    }
  }
}

const apiAddressOf = ({ network }: Wire, { hasTwoPlanes }: MachinesOptions) =>
  `${network}.${hasTwoPlanes ? numbers.shared : numbers.planes[0]}`;

const podCidrOf = ({ number }: Machine) => `10.94.${number}.0/24`;

async function buildImage(machine: Machine): Promise<void> {
  const cri = createCriClient(machine.at('cri.sock'));
  await eventually('the runtime', () => cri.runtime.version({}).then(Boolean, () => false));
  cri.close();
  const tree = machine.at('tree');
  mkdirSync(tree);
  fillTree(tree);
  const images = createImageClient(machine.at('images.sock'));
  await images.build(packTree(tree), { name: testImage, cmd: ['sh'] });
  rmSync(tree, { recursive: true });
}
