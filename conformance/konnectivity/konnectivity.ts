/** Konnectivity's own server and agent on this machine, and the files by which API servers are told of them. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../e2e/free-port.ts';
import { eventually } from '../../e2e/node.ts';
import { TestAuthority, writeFiles } from '../../packages/apiserver/test/pki.ts';
import { areBuilt } from '../peers/are-built.ts';
import { Processes } from '../peers/joining-node.ts';

const run = promisify(execFile);
const packages = {
  server: 'sigs.k8s.io/apiserver-network-proxy/cmd/server',
  agent: 'sigs.k8s.io/apiserver-network-proxy/cmd/agent',
};

/** Builds one of the two and answers its path. */
export async function buildKonnectivity(name: keyof typeof packages): Promise<string> {
  const binary = join(dirname(import.meta.dirname), 'bin', `konnectivity-${name}`);
  const words = ['build', '-o', binary, packages[name]];
  if (!areBuilt) await run('go', words, { cwd: import.meta.dirname, maxBuffer: 16 << 20 });
  return binary;
}

/** How API servers speak to its server. */
export type KonnectivityMode =
  | 'GRPC over a unix socket'
  | 'HTTPConnect over a unix socket'
  | 'HTTPConnect over TLS';

/** Both, with certificates of an authority of their own. */
export class Konnectivity {
  readonly folder: string;
  readonly mode: KonnectivityMode;
  readonly #programs: Record<keyof typeof packages, string>;
  readonly #ports: readonly number[];
  readonly #processes = { server: new Processes(), agent: new Processes() };

  private constructor(
    folder: string,
    mode: KonnectivityMode,
    programs: Record<keyof typeof packages, string>,
    ports: readonly number[],
  ) {
    this.folder = folder;
    this.mode = mode;
    this.#programs = programs;
    this.#ports = ports;
  }

  /** Makes a folder with their files. Neither runs yet. */
  static async prepare(
    folder: string,
    mode: KonnectivityMode,
    hosts: readonly string[] = ['127.0.0.1'],
  ): Promise<Konnectivity> {
    const programs = { server: await buildKonnectivity('server'), agent: await buildKonnectivity('agent') };
    mkdirSync(folder, { recursive: true });
    const authority = await TestAuthority.create('konnectivity');
    const server = await authority.issue({ name: 'server', hosts });
    const client = await authority.issue({ name: 'client' });
    writeFiles(folder, {
      ...{ 'ca.crt': authority.cert, 'server.crt': server.cert, 'server.key': server.key },
      ...{ 'client.crt': client.cert, 'client.key': client.key },
    });
    const ports: number[] = [];
    while (ports.length < 6) ports.push(await freePort());
    return new Konnectivity(folder, mode, programs, ports);
  }

  /** Writes the EgressSelectorConfiguration for connections of these types. */
  writeConfiguration(file: string, types: readonly string[]): void {
    const document = {
      ...{ apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' },
      egressSelections: types.map((name) => ({ name, connection: this.#connection })),
    };
    writeFileSync(file, JSON.stringify(document));
  }

  async start(): Promise<void> {
    await this.startServer();
    await this.startAgent();
  }

  /** Program and flags of the server. Agents dial it at this address. */
  serverLine(address = '127.0.0.1'): [program: string, flags: string[]] {
    const [port = 0, agentPort, adminPort, healthPort] = this.#ports;
    const isTcp = this.mode === 'HTTPConnect over TLS';
    const ofClients = isTcp
      ? [`--server-port=${port}`, '--server-bind-address=127.0.0.1', ...this.#files('server', 'server')]
      : ['--server-port=0', `--uds-name=${this.#socket}`, '--delete-existing-uds-file'];
    const flags = [
      `--mode=${this.mode.startsWith('GRPC') ? 'grpc' : 'http-connect'}`,
      ...ofClients,
      ...this.#files('cluster', 'server'),
      ...[`--agent-bind-address=${address}`, `--agent-port=${agentPort}`],
      ...[`--admin-port=${adminPort}`, `--health-port=${healthPort}`],
    ];
    return [this.#programs.server, flags];
  }

  /** The same of the agent. */
  agentLine(address = '127.0.0.1'): [program: string, flags: string[]] {
    const [, agentPort, , , adminPort, healthPort] = this.#ports;
    const flags = [
      ...[`--proxy-server-host=${address}`, `--proxy-server-port=${agentPort}`],
      ...[`--ca-cert=${this.at('ca.crt')}`, `--agent-cert=${this.at('client.crt')}`],
      ...[`--agent-key=${this.at('client.key')}`, '--sync-interval=500ms', '--sync-interval-cap=1s'],
      ...[`--admin-server-port=${adminPort}`, `--health-server-port=${healthPort}`],
    ];
    return [this.#programs.agent, flags];
  }

  async startServer(): Promise<void> {
    this.#processes.server.start('server', ...this.serverLine());
    await eventually('the server of Konnectivity', () => this.#isHealthy(this.#ports[3], '/healthz'));
  }

  /** Resolves once the server knows it. */
  async startAgent(): Promise<void> {
    this.#processes.agent.start('agent', ...this.agentLine());
    await eventually('the agent of Konnectivity', () => this.#isHealthy(this.#ports[5], '/readyz'));
    await eventually('the server knows its agent', () => this.#isHealthy(this.#ports[3], '/readyz'));
  }

  endAgent(): Promise<void> {
    return this.#processes.agent.end();
  }

  endServer(): Promise<void> {
    return this.#processes.server.end();
  }

  async end(): Promise<void> {
    await this.endAgent();
    await this.endServer();
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  get #socket(): string {
    return this.at('k.sock');
  }

  get #connection(): object {
    const proxyProtocol = this.mode.startsWith('GRPC') ? 'GRPC' : 'HTTPConnect';
    if (this.mode !== 'HTTPConnect over TLS')
      return { proxyProtocol, transport: { uds: { udsName: this.#socket } } };
    const [caBundle, clientCert, clientKey] = ['ca.crt', 'client.crt', 'client.key'].map((name) =>
      this.at(name),
    );
    const tlsConfig = { caBundle, clientCert, clientKey };
    return { proxyProtocol, transport: { tcp: { url: `https://127.0.0.1:${this.#ports[0]}`, tlsConfig } } };
  }

  #files(flags: string, identity: string): string[] {
    return [
      `--${flags}-cert=${this.at(`${identity}.crt`)}`,
      `--${flags}-key=${this.at(`${identity}.key`)}`,
      `--${flags}-ca-cert=${this.at('ca.crt')}`,
    ];
  }

  async #isHealthy(port: number | undefined, path: string): Promise<boolean> {
    return fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}
