import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packTree } from '@wherry/images';
import { detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { start } from '../../e2e/command.ts';
import { wherryEntry } from '../../e2e/node.ts';
import { signingKey, TestAuthority, writeFiles } from '../../packages/apiserver/test/pki.ts';
import { makeBusyboxTree } from '../cri/busybox-tree.ts';
import { type CriNode, startCriNode } from '../cri/cri-node.ts';

/** So much of what a process said is kept. */
const keptCharacters = 1e5;

/** Of every process here: to be ended in the order in which it was started, backwards. */
export class Processes {
  readonly #running: ReturnType<typeof start>[] = [];
  readonly #logFolder: string | undefined;
  /** What each program said so far, by its name. */
  readonly logs = new Map<string, string>();

  /** With a folder, all that each says is written there too, to NAME.log. */
  constructor(logFolder?: string) {
    this.#logFolder = logFolder;
    if (logFolder !== undefined) mkdirSync(logFolder, { recursive: true });
  }

  /** The end of what each program said. */
  get tail(): string {
    const tails = [...this.logs].map(([name, text]) => `== ${name}\n${text.slice(-2_000)}\n`);
    return tails.join('');
  }

  start(name: string, program: string, flags: readonly string[]): ReturnType<typeof start> {
    const child = start(program, flags);
    this.#running.push(child);
    const keep = (chunk: Buffer) =>
      this.logs.set(name, `${this.logs.get(name) ?? ''}${chunk}`.slice(-keptCharacters));
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    if (this.#logFolder !== undefined) {
      const file = createWriteStream(join(this.#logFolder, `${name}.log`), { flags: 'a' });
      for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
      child.once('close', () => file.end());
    }
    return child;
  }

  async end(): Promise<void> {
    for (const child of this.#running.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const closed = once(child, 'close');
      child.kill();
      const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await closed;
      clearTimeout(impatience);
    }
  }
}

/** A folder of its own with the one authority of a cluster, as kubeadm makes it, and who it has certified. */
export interface ClusterFiles {
  folder: string;
  authority: TestAuthority;
  /** Path of a file of the authority: `ca.crt`, `ca.key`, `apiserver.crt`, `kubelet-client.crt`, `service-account.key` … */
  at(name: string): string;
  /** Of an administrator. */
  kubeconfig: string;
}

/** Makes an authority and what a control plane at `url` needs of it, which is also at other addresses and names. */
export async function makeClusterFiles(url: string, names: readonly string[] = []): Promise<ClusterFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'joining-'));
  const authority = await TestAuthority.create('kubernetes');
  const serving = await authority.issue({
    name: 'kube-apiserver',
    hosts: ['127.0.0.1', 'localhost', ...names],
  });
  const groups = ['system:masters'];
  const admin = await authority.issue({ name: 'admin', groups });
  const kubeletClient = await authority.issue({ name: 'kube-apiserver-kubelet-client', groups });
  const key = signingKey();
  writeFiles(folder, {
    ...{ 'ca.crt': authority.cert, 'ca.key': await authority.exportKey() },
    ...{ 'apiserver.crt': serving.cert, 'apiserver.key': serving.key },
    ...{ 'kubelet-client.crt': kubeletClient.cert, 'kubelet-client.key': kubeletClient.key },
    'service-account.key': key,
    'service-account.pub': createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    kubeconfig: kubeconfigText(url, authority.cert, {
      'client-certificate-data': base64(admin.cert),
      'client-key-data': base64(admin.key),
    }),
  });
  const at = (name: string) => join(folder, name);
  return { folder, authority, at, kubeconfig: at('kubeconfig') };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A kubeconfig with one user. */
export function kubeconfigText(server: string, authority: string, user: object): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [{ name: 'c', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  });
}

/** A kubelet and our runtime below it, which know of their cluster what a bootstrap token says. */
export class JoiningNode {
  readonly name = 'joiner';
  readonly port: number;
  readonly criNode: CriNode;
  readonly #files: ClusterFiles;
  readonly #cgroupRoot = `/joining-${process.pid}`;
  readonly #kubelet = new Processes();

  private constructor(files: ClusterFiles, criNode: CriNode, port: number) {
    this.#files = files;
    this.criNode = criNode;
    this.port = port;
  }

  /** Starts the runtime, with the image of the tests. */
  static async prepare(files: ClusterFiles, { port, podCidr }: { port: number; podCidr: string }) {
    const criNode = await startCriNode({ podCidr });
    const tree = files.at('tree');
    mkdirSync(tree);
    makeBusyboxTree(tree);
    await criNode.images.build(packTree(tree), {
      name: 'docker.io/library/wherry-test:latest',
      cmd: ['sh'],
    });
    return new JoiningNode(files, criNode, port);
  }

  /** Where the kubelet keeps its certificates. */
  get certDir(): string {
    return this.#files.at('pki');
  }

  get log(): string {
    return this.#kubelet.logs.get('kubelet') ?? '';
  }

  /** Starts the kubelet with credentials that may ask for a certificate and nothing else. */
  start(url: string, token: string): void {
    const { at, authority, folder } = this.#files;
    const configuration = {
      ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration' },
      ...{ serverTLSBootstrap: true, rotateCertificates: true, port: this.port, healthzPort: 0 },
      authentication: { webhook: { enabled: true }, x509: { clientCAFile: at('ca.crt') } },
      authorization: { mode: 'Webhook' },
      containerRuntimeEndpoint: this.criNode.endpoint,
      ...{ podLogsDir: at('pod-logs'), cgroupDriver: 'cgroupfs', cgroupRoot: this.#cgroupRoot },
      ...{ failSwapOn: false, failCgroupV1: false, imageGCHighThresholdPercent: 100 },
      evictionHard: { 'memory.available': '100Mi' },
    };
    writeFileSync(at('kubelet.json'), JSON.stringify(configuration));
    writeFileSync(at('bootstrap.kubeconfig'), kubeconfigText(url, authority.cert, { token }));
    const flags = ['--config', at('kubelet.json'), '--root-dir', at('root'), '--cert-dir', this.certDir];
    const access = [
      '--bootstrap-kubeconfig',
      at('bootstrap.kubeconfig'),
      '--kubeconfig',
      join(folder, 'node.kubeconfig'),
    ];
    const words = [wherryEntry, 'kubelet', ...flags, ...access, '--hostname-override', this.name];
    this.#kubelet.start('kubelet', process.execPath, words);
  }

  /** Ends kubelet and runtime and removes what they left, with the folder of the cluster. */
  async remove(): Promise<void> {
    const { folder } = this.#files;
    await this.#kubelet.end();
    await this.criNode.close();
    removeGroup(foldersAt(detectCgroups(), this.#cgroupRoot));
    const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
    for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
    rmSync(folder, { recursive: true, force: true });
  }
}
