import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const program = '/usr/bin/etcd';

/** PEM files of an etcd that lets in who has a certificate of its authority. */
export interface TestEtcdFiles {
  ca: string;
  cert: string;
  key: string;
}

/** An etcd of one test, on ports of loopback that were free. */
export class TestEtcd {
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'wherry-etcd-'));
  readonly #peerPort: number;
  readonly #healthUrl: string;
  readonly #files: TestEtcdFiles | undefined;
  #process: ChildProcess | undefined;

  private constructor(ports: readonly [client: number, peer: number, health: number], files?: TestEtcdFiles) {
    const [client, peer, health] = ports;
    this.url = `${files ? 'https' : 'http'}://127.0.0.1:${client}`;
    this.#peerPort = peer;
    this.#healthUrl = `http://127.0.0.1:${health}`;
    this.#files = files;
  }

  /** With files it is asked over TLS alone. */
  static async start(files?: TestEtcdFiles): Promise<TestEtcd> {
    if (!existsSync(program)) throw new Error('etcd is missing; install it: apt-get install etcd-server');
    const etcd = new TestEtcd([await freePort(), await freePort(), await freePort()], files);
    await etcd.startAgain();
    return etcd;
  }

  /** With the data that it has. */
  async startAgain(): Promise<void> {
    const peerUrl = `http://127.0.0.1:${this.#peerPort}`;
    const files = this.#files;
    this.#process = spawn(
      program,
      [
        ...[`--data-dir=${this.#folder}/data`, `--listen-client-urls=${this.url}`],
        ...[`--advertise-client-urls=${this.url}`, `--listen-peer-urls=${peerUrl}`],
        ...[`--initial-advertise-peer-urls=${peerUrl}`, `--initial-cluster=default=${peerUrl}`],
        `--listen-metrics-urls=${this.#healthUrl}`,
        ...(files ? [`--cert-file=${files.cert}`, `--key-file=${files.key}`] : []),
        ...(files ? ['--client-cert-auth', `--trusted-ca-file=${files.ca}`] : []),
        // What is killed here is a process, never the machine.
        ...['--unsafe-no-fsync', '--logger=zap', '--log-level=error'],
      ],
      { stdio: 'ignore' },
    );
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const isHealthy = await fetch(`${this.#healthUrl}/health`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isHealthy) return;
      await delay(50);
    }
    throw new Error(`etcd did not come up at ${this.url}`);
  }

  /** Resolves once it answers nobody any more; its connections stay. */
  async pause(): Promise<void> {
    this.#process?.kill('SIGSTOP');
    const signal = () => AbortSignal.timeout(200);
    const answers = () => fetch(`${this.#healthUrl}/health`, { signal: signal() }).then(Boolean, () => false);
    while (await answers());
  }

  goOn(): void {
    this.#process?.kill('SIGCONT');
  }

  /** At once, as a crash would. */
  async kill(): Promise<void> {
    const process = this.#process;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    process.kill('SIGKILL');
    await once(process, 'exit');
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
