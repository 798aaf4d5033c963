/** A control plane of the programs in one folder, by the command lines and the health checks of controller-runtime's envtest. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../e2e/free-port.ts';
import { prepareServer } from '../../apiserver/test/prepare-server.ts';

const run = promisify(execFile);

/** A process of it, in a group of its own. */
export interface Program {
  child: ChildProcess;
  said: string[];
}

export class ControlPlane {
  readonly assets: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'wherry-envtest-'));
  readonly kubeconfig = join(this.folder, 'kubeconfig');
  etcdUrl = '';
  url = '';
  #apiserverFlags: Record<string, string> = {};
  #etcdFlags: Record<string, string> = {};
  readonly #running = new Set<Program>();

  private constructor(assets: string) {
    this.assets = assets;
  }

  /** With its files and ports; nothing runs yet. */
  static async prepare(assets: string): Promise<ControlPlane> {
    const plane = new ControlPlane(assets);
    const { admin, options, authority } = await prepareServer(plane.folder);
    const certificates = join(plane.folder, 'certificates');
    mkdirSync(certificates);
    copyFileSync(options.tlsCertFile, join(certificates, 'apiserver.crt'));
    copyFileSync(options.tlsPrivateKeyFile, join(certificates, 'apiserver.key'));
    const [etcdPort, port] = [await freePort(), await freePort()];
    plane.etcdUrl = `http://127.0.0.1:${etcdPort}`;
    plane.url = `https://127.0.0.1:${port}`;
    plane.#etcdFlags = {
      'advertise-client-urls': plane.etcdUrl,
      'data-dir': join(plane.folder, 'etcd'),
      'listen-client-urls': plane.etcdUrl,
      'listen-peer-urls': `http://127.0.0.1:${await freePort()}`,
      'unsafe-no-fsync': 'true',
    };
    plane.#apiserverFlags = {
      'allow-privileged': 'true',
      'authorization-mode': 'RBAC',
      'bind-address': '127.0.0.1',
      'cert-dir': certificates,
      'client-ca-file': options.clientCaFile,
      'disable-admission-plugins': 'ServiceAccount',
      'etcd-servers': plane.etcdUrl,
      'secure-port': String(port),
      'service-account-issuer': `${plane.url}/`,
      'service-account-key-file': options.serviceAccountSigningKeyFile,
      'service-account-signing-key-file': options.serviceAccountSigningKeyFile,
      'service-cluster-ip-range': '10.0.0.0/24',
    };
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) };
    const cluster = { server: plane.url, 'certificate-authority-data': base64(authority.cert) };
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'envtest' },
      clusters: [{ name: 'envtest', cluster }],
      users: [{ name: 'envtest', user }],
      contexts: [{ name: 'envtest', context: { cluster: 'envtest', user: 'envtest' } }],
    };
    writeFileSync(plane.kubeconfig, JSON.stringify(kubeconfig));
    return plane;
  }

  startEtcd(): Promise<Program> {
    return this.#start('etcd', this.#etcdFlags, `${this.etcdUrl}/health`);
  }

  startApiserver(more: Readonly<Record<string, string>> = {}): Promise<Program> {
    return this.#start('kube-apiserver', { ...this.#apiserverFlags, ...more }, `${this.url}/healthz`);
  }

  /** What its kubectl prints. */
  async kubectl(...words: string[]): Promise<string> {
    const { stdout } = await run(join(this.assets, 'kubectl'), [`--kubeconfig=${this.kubeconfig}`, ...words]);
    return stdout;
  }

  /** Gives back the exit code. */
  async stop(program: Program): Promise<number | null> {
    this.#running.delete(program);
    const { child } = program;
    if (child.exitCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    process.kill(-child.pid!, 'SIGTERM');
    const [code] = await ended;
    return code;
  }

  async close(): Promise<void> {
    for (const program of [...this.#running].reverse()) await this.stop(program);
    rmSync(this.folder, { recursive: true });
  }

  /** Ready, or ended. */
  async #start(name: string, flags: Readonly<Record<string, string>>, health: string): Promise<Program> {
    const words = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const child = spawn(join(this.assets, name), words, {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const program: Program = { child, said: [] };
    child.stderr.on('data', (chunk: Buffer) => program.said.push(String(chunk)));
    this.#running.add(program);
    while (child.exitCode === null && (await statusOf(health)) !== 200) await delay(50);
    return program;
  }
}

/** The code of an answer; undefined where there is none. */
export function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const get = url.startsWith('https:') ? httpsGet : httpGet;
    const request = get(url, { agent: false, rejectUnauthorized: false } as object, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('error', () => resolve(undefined));
  });
}
