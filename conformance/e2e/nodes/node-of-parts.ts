import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createGroup, detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { freePort } from '../../../e2e/free-port.ts';
import { eventually, wherryEntry } from '../../../e2e/node.ts';
import { clusterOf } from '../../peers/cluster.ts';
import { type ClusterFiles, kubeconfigText, makeClusterFiles, Processes } from '../../peers/joining-node.ts';
import { kubeletConfiguration } from '../../peers/kubelet-configuration.ts';
import { startOwnServer } from '../../peers/own-plane.ts';
import { buildUpstream } from '../../upstream/build.ts';
import type { JudgedNode, JudgedNodeOptions } from './judged-node.ts';
import { runtimes } from './runtimes.ts';

/** Whose kubelet and whose runtime. */
export interface Parts {
  kubelet: 'wherry' | 'upstream';
  runtime: keyof typeof runtimes;
}

/** Such a node. */
export interface NodeOfParts extends JudgedNode {
  /** Of the API server. */
  url: string;
  /** Of the node. */
  name: string;
  /** Socket of its runtime, `unix://…` */
  endpoint: string;
  /** Of its runtime, where that is started anew when it was killed. */
  runtimePidFile: string | undefined;
  /** Process of its kubelet, to be stopped and started anew. */
  kubelet: KubeletProcess;
}

/** The process of a kubelet; it starts with the configuration that its file has then. */
export interface KubeletProcess {
  readonly isRunning: boolean;
  start(): void;
  /** Ends it, and answers once it is gone. */
  stop(): Promise<void>;
}

/** What a suite wants otherwise than nodes are made here. */
export interface Wishes {
  /** Fields of the KubeletConfiguration, over those that every node has. */
  configuration?: object;
  /** Where the kubelet's configuration is written; by default in a folder of the run's own. */
  configurationFile?: string;
  /** Further flags of the kubelet. */
  kubeletFlags?: readonly string[];
  /** Folder of the kubelet; by default one of the run's own. */
  rootDir?: string;
  /** Control group below which the kubelet makes its own; by default one of the run's own. */
  cgroupRoot?: string;
  /** Further flags of the API server. */
  serverFlags?: readonly string[];
  /** Which controllers run, as `--controllers` takes it; by default all. */
  controllers?: string;
}

const kubeletNames: readonly string[] = ['wherry', 'upstream'] satisfies Parts['kubelet'][];

/** Whose parts the flags name; undefined where they name none, and ours for the one that they leave out. */
export function partsFrom(flags: { kubelet?: string; runtime?: string }): Parts | undefined {
  if (flags.kubelet === undefined && flags.runtime === undefined) return undefined;
  const { kubelet = 'wherry', runtime = 'wherry' } = flags;
  refuseOther('--kubelet', kubelet, kubeletNames);
  refuseOther('--runtime', runtime, Object.keys(runtimes));
  return { kubelet, runtime } as Parts;
}

function refuseOther(flag: string, value: string, values: readonly string[]): void {
  if (!values.includes(value)) throw new Error(`${flag} "${value}" is none of ${values.join(', ')}`);
}

const nodeName = 'suite';
const readyMs = 120_000;

/**
 * A node put together of a kubelet and a runtime that each stand alone. Its API server, controllers and scheduler are ours,
 * also as processes of their own, whosever the others are: what differs between two such nodes is what is judged. There are
 * no services' addresses and no names of the cluster on it.
 */
export async function startNodeOfParts(
  parts: Parts,
  options: JudgedNodeOptions,
  wishes: Wishes = {},
): Promise<NodeOfParts> {
  const apiPort = await freePort();
  const url = `https://127.0.0.1:${apiPort}`;
  const files = await makeClusterFiles(url);
  const logs = join(options.folder, 'logs');
  const [plane, kubelets, below] = [new Processes(logs), new Processes(logs), new Processes(logs)];
  const cgroupRoot = wishes.cgroupRoot ?? `/suite-${process.pid}`;
  const cluster = clusterOf(() => ({ KUBECONFIG: files.kubeconfig, HOME: files.folder }));
  const cleanUp: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const step of cleanUp.reverse()) await step();
  };
  const until = (what: string, words: string[]) =>
    eventually(what, async () => (await cluster.kubectl(words)).code === 0, readyMs);
  try {
    cleanUp.push(() => removeFolder(files.folder));
    const ownGroup = cgroupRoot === '/' ? '/kubepods' : cgroupRoot;
    cleanUp.push(() => removeGroup(foldersAt(detectCgroups(), ownGroup)));
    cleanUp.push(() => plane.end());
    cleanUp.push(() => below.end());
    const runtime = await runtimes[parts.runtime](options, below);
    cleanUp.push(() => runtime.close());
    cleanUp.push(() => kubelets.end());
    await startOwnServer(files, plane, apiPort, wishes.serverFlags);
    await until('the API server', ['get', '--raw', '/readyz']);
    startControllers(files, plane, wishes.controllers);
    const configuration = {
      ...kubeletConfiguration({
        ...{ port: await freePort(), endpoint: runtime.endpoint, cgroupRoot },
        ...{ podLogsDir: files.at('pod-logs'), pki: await nodeFiles(files, url) },
      }),
      ...{ clusterDomain: 'cluster.local', clusterDNS: ['10.96.0.10'] },
      ...wishes.configuration,
    };
    const configurationFile = wishes.configurationFile ?? files.at('kubelet.json');
    writeFileSync(configurationFile, JSON.stringify(configuration));
    createGroup(foldersAt(detectCgroups(), cgroupRoot));
    const [program, ...words] =
      parts.kubelet === 'wherry'
        ? [process.execPath, wherryEntry, 'kubelet']
        : [await buildUpstream('kubelet')];
    const kubeletRoot = wishes.rootDir ?? files.at('kubelet');
    const kubelet = kubeletProcess(kubelets, program, [
      ...[...words, '--config', configurationFile, '--kubeconfig', files.at('node.kubeconfig')],
      ...['--root-dir', kubeletRoot, '--hostname-override', nodeName, '--node-ip', address()],
      ...(wishes.kubeletFlags ?? []),
    ]);
    cleanUp.push(() => kubelet.stop());
    kubelet.start();
    await until('the node', ['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=5s']);
    await until('the service account', ['get', 'serviceaccount', 'default']);
    return {
      url,
      name: nodeName,
      ...{ endpoint: runtime.endpoint, runtimePidFile: runtime.pidFile },
      kubeconfig: files.kubeconfig,
      ...{ kubelet, kubeletRoot, close },
    };
  } catch (error) {
    await close();
    throw new Error(`${below.tail}${kubelets.tail}${plane.tail}`, { cause: error });
  }
}

/** Of one kubelet after the other: one that ends in order without having been told to is started anew, as by systemd. */
function kubeletProcess(processes: Processes, program: string, words: readonly string[]): KubeletProcess {
  let child: ReturnType<Processes['start']> | undefined;
  let isStopping = false;
  const start = () => {
    child = processes.start('kubelet', program, words);
    child.once('exit', (code) => code === 0 && !isStopping && start());
  };
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    get isRunning() {
      return isRunning();
    },
    start() {
      if (!isRunning()) start();
    },
    async stop() {
      isStopping = true;
      await processes.end();
      isStopping = false;
    },
  };
}

/** What the kubelet is known by: its certificates, and the credentials of a node. Answers their folder. */
async function nodeFiles({ authority, at }: ClusterFiles, url: string): Promise<string> {
  const name = `system:node:${nodeName}`;
  const pki = at('pki');
  mkdirSync(pki);
  const serving = await authority.issue({ name, hosts: [address(), '127.0.0.1'] });
  const client = await authority.issue({ name, groups: ['system:nodes'] });
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const files = { 'kubelet.crt': serving.cert, 'kubelet.key': serving.key, 'kubelet-ca.crt': authority.cert };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(pki, file), text, { mode: 0o600 });
  const user = { 'client-certificate-data': base64(client.cert), 'client-key-data': base64(client.key) };
  writeFileSync(at('node.kubeconfig'), kubeconfigText(url, authority.cert, user), { mode: 0o600 });
  return pki;
}

/** The scheduler and the other controllers, ours. */
function startControllers({ at, kubeconfig }: ClusterFiles, processes: Processes, controllers = '*'): void {
  processes.start('controllers', process.execPath, [
    ...[wherryEntry, 'controllers', '--kubeconfig', kubeconfig, '--leader-elect=false', '--secure-port=0'],
    `--controllers=${controllers}`,
    `--root-ca-file=${at('ca.crt')}`,
    `--service-account-private-key-file=${at('service-account.key')}`,
  ]);
}

function address(): string {
  const entries = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = entries.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!found) throw new Error('the machine has no address besides loopback');
  return found.address;
}

/** Removes a folder with all that is in it, once nothing is mounted there any more. */
export function removeFolder(folder: string): void {
  const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${folder}/`));
  for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
  rmSync(folder, { recursive: true, force: true });
}
