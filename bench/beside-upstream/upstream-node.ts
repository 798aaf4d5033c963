import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { detectCgroups, foldersAt, readMountInfo, removeGroup, unmount } from '@wherry/linux';
import { type Containerd, startContainerd } from '../../conformance/peers/containerd.ts';
import { kubeletConfiguration } from '../../conformance/peers/kubelet-configuration.ts';
import { etcdFlags } from '../../conformance/upstream/etcd.ts';
import { ApiAccess } from '../api-access.ts';
import type { Side } from '../side.ts';

const run = promisify(execFile);
const readyMs = 120_000;
const endMs = 15_000;
const ports = {
  api: 26_443,
  etcd: 26_379,
  kubelet: 26_250,
  manager: 26_257,
  scheduler: 26_259,
};
const cgroupRoot = `/upstream-bench-${process.pid}`;
const nodeName = 'upstream';
/** Where upstream's kubelet has the socket of device plug-ins and links to logs, wherever all else of it is. */
const usualFolders = ['/var/lib/kubelet', '/var/log/containers'];

/** What an upstream node is made of. */
export interface UpstreamNodeOptions {
  /** Folder of Kubernetes' programs and containerd. */
  programs: string;
  /** Folder of a wherry node, whose certificates are lent. */
  donor: string;
}

/** Upstream's own node: etcd without fsync, API server, controller manager, scheduler, kubelet and containerd. */
export class UpstreamNode implements Side {
  readonly api: ApiAccess;
  readonly image: string;
  readonly #folder: string;
  readonly #containerd: Containerd;
  readonly #children: Map<string, ChildProcess>;
  /** Of the usual ones, those that are this node's. */
  readonly #madeFolders = usualFolders.filter((folder) => !existsSync(folder));

  private constructor(folder: string, containerd: Containerd, children: Map<string, ChildProcess>) {
    this.#folder = folder;
    this.#containerd = containerd;
    this.#children = children;
    this.image = containerd.image;
    this.api = new ApiAccess(join(folder, 'kubeconfig'));
  }

  static async start({ programs, donor }: UpstreamNodeOptions): Promise<UpstreamNode> {
    const folder = await mkdtemp(join(tmpdir(), 'upstream-bench-'));
    const pki = join(donor, 'pki');
    const kubeconfig = join(folder, 'kubeconfig');
    const redirected = readFileSync(join(donor, 'kubeconfig'), 'utf8').replace(
      /https:\/\/127\.0\.0\.1:\d+/g,
      `https://127.0.0.1:${ports.api}`,
    );
    writeFileSync(kubeconfig, redirected, { mode: 0o600 });
    mkdirSync(join(folder, 'logs'));
    const containerd = await startContainerd({ programs, detached: true });
    writeFileSync(
      join(folder, 'kubelet.json'),
      JSON.stringify({
        ...kubeletConfiguration({
          port: ports.kubelet,
          endpoint: `unix://${containerd.socketPath}`,
          cgroupRoot,
          podLogsDir: join(folder, 'pod-logs'),
          pki,
        }),
        // As `wherry up` has it: containers of both sides are kept from the same calls.
        seccompDefault: true,
      }),
    );
    const children = new Map<string, ChildProcess>();
    const begin = (role: string, program: string, flags: string[]) => {
      const log = openSync(join(folder, 'logs', role), 'a');
      children.set(role, spawn(program, flags, { stdio: ['ignore', log, log], detached: true }));
      closeSync(log);
    };
    begin('etcd', 'etcd', etcdFlags(join(folder, 'etcd'), ports.etcd));
    begin('kube-apiserver', join(programs, 'kube-apiserver'), apiserverFlags(pki));
    const node = new UpstreamNode(folder, containerd, children);
    try {
      await node.#until('the API server', ['get', '--raw', '/readyz']);
      const toKubelets = ['--clusterrole=system:kubelet-api-admin', '--user=kube-apiserver-kubelet-client'];
      await node.kubectl(['create', 'clusterrolebinding', 'kubelet-api-admin', ...toKubelets]);
      begin(
        'kube-controller-manager',
        join(programs, 'kube-controller-manager'),
        managerFlags(kubeconfig, pki),
      );
      begin('kube-scheduler', join(programs, 'kube-scheduler'), schedulerFlags(kubeconfig));
      createCgroup();
      begin('kubelet', join(programs, 'kubelet'), kubeletFlags(folder, kubeconfig));
      await node.#until('the node', ['wait', '--for=condition=Ready', `node/${nodeName}`, '--timeout=2s']);
      await node.#until('the service account', ['get', 'serviceaccount', 'default']);
      return node;
    } catch (error) {
      await node.close();
      throw error;
    }
  }

  environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: join(this.#folder, 'kubeconfig'), ...more };
  }

  async kubectl(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return (await run('kubectl', args, { env: this.environment(env), maxBuffer: 16 << 20 })).stdout;
  }

  async processes(): Promise<{ role: string; pid: number }[]> {
    const own = [...this.#children].map(([role, { pid = 0 }]) => ({ role, pid }));
    const shims = shimsOf(this.#containerd.socketPath).map((pid) => ({ role: 'shim', pid }));
    return [...own, { role: 'containerd', pid: this.#containerd.pid }, ...shims];
  }

  /** Ends everything, from the top down: the API server does not end in order once etcd has gone. */
  async close(): Promise<void> {
    await this.kubectl(['delete', 'pods', '--all', '--grace-period=0', '--force']).catch(() => '');
    this.api.close();
    for (const child of [...this.#children.values()].reverse()) await end(child);
    await this.#containerd.close();
    const inside = readMountInfo().filter(({ mountPoint }) => mountPoint.startsWith(`${this.#folder}/`));
    for (const { mountPoint } of inside.reverse()) unmount(mountPoint, { detach: true });
    removeGroup(foldersAt(detectCgroups(), cgroupRoot));
    for (const folder of [this.#folder, ...this.#madeFolders])
      await rm(folder, { recursive: true, force: true });
  }

  async #until(what: string, words: string[]): Promise<void> {
    const deadline = performance.now() + readyMs;
    for (;;) {
      try {
        await this.kubectl(words);
        return;
      } catch (error) {
        const ended = [...this.#children].find(([, { exitCode }]) => exitCode !== null);
        if (ended || performance.now() > deadline) {
          throw new Error(`${ended?.[0] ?? what} is not there:\n${this.#logTails()}`, { cause: error });
        }
        await delay(200);
      }
    }
  }

  #logTails(): string {
    const folder = join(this.#folder, 'logs');
    const tail = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n').slice(-5).join('\n');
    return readdirSync(folder)
      .map((name) => `== ${name}\n${tail(name)}`)
      .join('\n');
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatience = setTimeout(() => child.kill('SIGKILL'), endMs);
  await ended;
  clearTimeout(impatience);
}

function createCgroup(): void {
  for (const folder of [...foldersAt(detectCgroups(), cgroupRoot).controllers.values()]) {
    mkdirSync(folder, { recursive: true });
  }
  const { unified } = foldersAt(detectCgroups(), cgroupRoot);
  if (unified) mkdirSync(unified, { recursive: true });
}

/** The shims that serve one containerd: their command lines name its socket. */
function shimsOf(socketPath: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words[0]?.includes('containerd-shim') && words.some((word) => word.startsWith(socketPath));
      } catch {
        return false;
      }
    });
}

const apiserverFlags = (pki: string) => [
  `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
  `--secure-port=${ports.api}`,
  '--bind-address=127.0.0.1',
  `--client-ca-file=${join(pki, 'ca.crt')}`,
  `--tls-cert-file=${join(pki, 'apiserver.crt')}`,
  `--tls-private-key-file=${join(pki, 'apiserver.key')}`,
  '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
  `--service-account-key-file=${join(pki, 'service-account.pub')}`,
  `--service-account-signing-key-file=${join(pki, 'service-account.key')}`,
  `--kubelet-certificate-authority=${join(pki, 'kubelet-ca.crt')}`,
  `--kubelet-client-certificate=${join(pki, 'apiserver-kubelet-client.crt')}`,
  `--kubelet-client-key=${join(pki, 'apiserver-kubelet-client.key')}`,
  '--kubelet-preferred-address-types=InternalIP',
  '--authorization-mode=RBAC',
  '--service-cluster-ip-range=10.97.0.0/16',
];

const managerFlags = (kubeconfig: string, pki: string) => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  `--service-account-private-key-file=${join(pki, 'service-account.key')}`,
  `--root-ca-file=${join(pki, 'ca.crt')}`,
  '--leader-elect=false',
  '--bind-address=127.0.0.1',
  `--secure-port=${ports.manager}`,
];

const schedulerFlags = (kubeconfig: string) => [
  `--kubeconfig=${kubeconfig}`,
  `--authentication-kubeconfig=${kubeconfig}`,
  `--authorization-kubeconfig=${kubeconfig}`,
  '--leader-elect=false',
  '--bind-address=127.0.0.1',
  `--secure-port=${ports.scheduler}`,
];

const kubeletFlags = (folder: string, kubeconfig: string) => [
  `--config=${join(folder, 'kubelet.json')}`,
  `--kubeconfig=${kubeconfig}`,
  `--root-dir=${join(folder, 'kubelet')}`,
  `--hostname-override=${nodeName}`,
];
