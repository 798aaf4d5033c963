import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Apiserver, startApiserver } from '@wherry/apiserver';
import { createLogger } from '@wherry/telemetry';
import type { Credentials, TestAuthority } from './pki.ts';
import { type FolderOptions, prepareServer } from './prepare-server.ts';

/** What came back. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  bytes: Buffer;
  /** Parsed; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  body: any;
}

/** Who asks, and how. */
export interface Ask {
  body?: unknown;
  type?: string;
  accept?: string;
  headers?: Record<string, string>;
  /** Client certificate; null = none. Default: the administrator's. */
  as?: Credentials | null;
  token?: string;
}

/** An API server of one test, on a free port of loopback, with its own authority and folder. */
export class TestServer {
  readonly folder: string;
  readonly authority: TestAuthority;
  readonly admin: Credentials;
  apiserver: Apiserver;
  readonly options: FolderOptions;
  readonly kubeconfig: string;
  readonly #agents = new Map<Credentials | null, Agent>();

  private constructor(parts: {
    folder: string;
    authority: TestAuthority;
    admin: Credentials;
    apiserver: Apiserver;
    options: FolderOptions;
  }) {
    this.folder = parts.folder;
    this.authority = parts.authority;
    this.admin = parts.admin;
    this.apiserver = parts.apiserver;
    this.options = parts.options;
    this.kubeconfig = join(this.folder, 'kubeconfig');
    this.writeKubeconfig();
  }

  static async start(options: Partial<FolderOptions> = {}): Promise<TestServer> {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-apiserver-'));
    const { authority, admin, options: made } = await prepareServer(folder);
    const all: FolderOptions = {
      ...made,
      logger: createLogger('apiserver', { level: 'error' }),
      ...options,
    };
    const apiserver = await startApiserver(all).catch((error: unknown) => {
      rmSync(folder, { recursive: true });
      throw error;
    });
    return new TestServer({ folder, authority, admin, apiserver, options: all });
  }

  /** As a crash and a new start would: the same folder, another port. */
  async restart(): Promise<void> {
    await this.apiserver.close();
    this.apiserver = await startApiserver(this.options);
    this.writeKubeconfig();
  }

  async close(): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
    await this.apiserver.close();
    rmSync(this.folder, { recursive: true });
  }

  async request(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const { body, type = 'application/json', accept, headers = {}, token } = ask;
    const payload =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpsRequest(
        `${this.apiserver.url}${path}`,
        {
          method,
          agent: this.agent(token ? null : ask.as),
          headers: {
            ...(payload === undefined
              ? {}
              : { 'content-type': type, 'content-length': Buffer.byteLength(payload) }),
            ...(accept ? { accept } : {}),
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              bytes,
              body: parse(text),
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }

  /** Kept connections with a client certificate. */
  agent(as: Credentials | null | undefined = this.admin): Agent {
    let agent = this.#agents.get(as);
    if (!agent) {
      agent = new Agent({ ca: this.authority.cert, keepAlive: true, ...(as ?? {}) });
      this.#agents.set(as, agent);
    }
    return agent;
  }

  /** Runs the real kubectl to its end. */
  kubectl(
    args: readonly string[],
    options: { input?: string; environment?: NodeJS.ProcessEnv } = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      const child = execFile(
        'kubectl',
        args,
        { env: this.#environment(options.environment), timeout: 30_000 },
        (error, stdout, stderr) => {
          resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr });
        },
      );
      child.stdin?.end(options.input ?? '');
    });
  }

  /** Starts the real kubectl and leaves it running. */
  spawnKubectl(args: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn('kubectl', args, { env: this.#environment(environment), stdio: ['ignore', 'pipe', 'pipe'] });
  }

  writeKubeconfig(): void {
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const { admin, authority } = this;
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
      clusters: [
        {
          name: 'test',
          cluster: { server: this.apiserver.url, 'certificate-authority-data': base64(authority.cert) },
        },
      ],
      users: [
        {
          name: 'admin',
          user: { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) },
        },
      ],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin' } }],
    };
    writeFileSync(this.kubeconfig, JSON.stringify(config), { mode: 0o600 });
  }

  #environment(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: this.kubeconfig, HOME: this.folder, ...more };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
