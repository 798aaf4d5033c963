/** An API server of ours and a kubelet of this process above a provider of pods. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kubelet, startKubelet } from '@wherry/kubelet';
import { detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { type PodProvider, type RunningProvider, serveProvider } from '@wherry/pod-provider';
import { type Cluster, clusterOf } from '../conformance/peers/cluster.ts';
import { kubeconfigText, makeClusterFiles, Processes } from '../conformance/peers/joining-node.ts';
import { startOwnServer } from '../conformance/peers/own-plane.ts';
import { freePort } from './free-port.ts';
import { eventually } from './node.ts';

/** What a node of a provider is started with. */
export interface ProviderNodeOptions {
  name: string;
  provider: PodProvider;
  /** Of the kubelet's API; 0, any, unless told. */
  port?: number;
  /** Whether the kubelet takes those who do not say who they are for `system:anonymous`. */
  takesAnyone?: boolean;
}

type Remove = () => void | Promise<void>;

/** A node whose pods a provider runs. */
export class ProviderNode {
  readonly name: string;
  readonly cluster: Cluster;
  /** Of an administrator. */
  readonly kubeconfig: string;
  readonly #removals: readonly Remove[];

  private constructor(name: string, cluster: Cluster, kubeconfig: string, removals: readonly Remove[]) {
    this.name = name;
    this.cluster = cluster;
    this.kubeconfig = kubeconfig;
    this.#removals = removals;
  }

  /** Resolves when the node is ready. What was started is ended where that fails. */
  static async start(options: ProviderNodeOptions): Promise<ProviderNode> {
    const removals: Remove[] = [];
    try {
      return await ProviderNode.#start(options, removals);
    } catch (error) {
      await removeAll(removals);
      throw error;
    }
  }

  static async #start(options: ProviderNodeOptions, removals: Remove[]): Promise<ProviderNode> {
    const { name, provider, port = 0, takesAnyone = false } = options;
    // Of the machine; the API server goes to no kubelet on its own loopback.
    const address = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    assert.ok(address, 'the machine has no address beside loopback');

    const folder = mkdtempSync(join(tmpdir(), 'wherry-provider-'));
    const cgroupRoot = `/provider-${process.pid}`;
    removals.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
    // Volumes in memory of pods that are there to the end.
    removals.push(() => {
      const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
      for (const { mountPoint } of inside.toReversed()) unmount(mountPoint, { detach: true });
    });
    removals.push(() => removeGroup(foldersAt(detectCgroups(), cgroupRoot)));
    const at = (file: string) => join(folder, file);
    const processes = new Processes(at('logs'));
    const serverPort = await freePort();
    const url = `https://127.0.0.1:${serverPort}`;
    const files = await makeClusterFiles(url);
    removals.push(() => rmSync(files.folder, { recursive: true, force: true }));
    removals.push(() => processes.end());
    await startOwnServer(files, processes, serverPort);
    const cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: folder }));
    const isThere = async () => (await cluster.kubectl(['get', '--raw', '/readyz'])).code === 0;
    await eventually('the API server', isThere);
    await cluster.kubectlOk(['create', 'serviceaccount', 'default']);

    const user = `system:node:${name}`;
    const serving = await files.authority.issue({ name: user, hosts: [address] });
    const client = await files.authority.issue({ name: user, groups: ['system:nodes'] });
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const credentials = {
      'client-certificate-data': base64(client.cert),
      'client-key-data': base64(client.key),
    };
    writeFileSync(at('kubeconfig'), kubeconfigText(url, files.authority.cert, credentials));
    writeFileSync(at('kubelet.crt'), serving.cert);
    writeFileSync(at('kubelet.key'), serving.key, { mode: 0o600 });
    writeFileSync(at('ca.crt'), files.authority.cert);
    mkdirSync(at('pod-logs'));

    const served: RunningProvider = await serveProvider({ provider, socketPath: at('cri.sock') });
    removals.push(() => served.close());
    const kubelet: Kubelet = await startKubelet({
      ...{ kubeconfig: at('kubeconfig'), rootDir: at('root'), hostnameOverride: name },
      nodeIp: address,
      configuration: {
        ...{ port, healthzPort: 0, cgroupRoot, failSwapOn: false, failCgroupV1: false },
        containerRuntimeEndpoint: `unix://${at('cri.sock')}`,
        ...{ podLogsDir: at('pod-logs'), evictionHard: {} },
        ...{ tlsCertFile: at('kubelet.crt'), tlsPrivateKeyFile: at('kubelet.key') },
        authentication: {
          ...{ x509: { clientCAFile: at('ca.crt') }, webhook: { enabled: true } },
          anonymous: { enabled: takesAnyone },
        },
        authorization: { mode: 'Webhook' },
      },
    });
    removals.push(() => kubelet.close());
    const wait = ['wait', '--for=condition=Ready', `node/${name}`, '--timeout=1s'];
    await eventually('the node', async () => (await cluster.kubectl(wait)).code === 0);
    return new ProviderNode(name, cluster, files.kubeconfig, removals);
  }

  /** Makes a pod on it. */
  apply(name: string, spec: object): Promise<string> {
    return this.cluster.kubectlOk(['apply', '-f', '-'], {
      stdin: JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
        spec: {
          ...{ nodeName: this.name, automountServiceAccountToken: false, terminationGracePeriodSeconds: 1 },
          ...spec,
        },
      }),
    });
  }

  /** Ends kubelet, provider and API server, and removes what they left. */
  remove(): Promise<void> {
    return removeAll(this.#removals);
  }
}

async function removeAll(removals: readonly Remove[]): Promise<void> {
  for (const remove of removals.toReversed()) await remove();
}
