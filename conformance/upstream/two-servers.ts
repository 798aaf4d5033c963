/** Our API server and Kubernetes' own beside it, with the same authority and certificates, for the same requests. */
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { join } from 'node:path';
import { start } from '../../e2e/command.ts';
import { eventually } from '../../e2e/node.ts';
import type { Credentials } from '../../packages/apiserver/test/pki.ts';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { buildUpstream } from './build.ts';
import { etcdFlags } from './etcd.ts';

/** A request to either. */
export interface Asked {
  method: string;
  path: string;
  /** Sent as it is when it is a text or bytes, else as JSON. */
  body?: unknown;
  /** Default: JSON. */
  type?: string;
  headers?: Record<string, string>;
  /** Default: the administrator; null: nobody. */
  as?: Credentials | null;
}

/** What came back. */
export interface Answered {
  code: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  bytes: Buffer;
}

/** What the two are started with. */
export interface TwoServersOptions {
  /** Of the other API server. */
  port: number;
  etcdPort: number;
  /** Of the other one; null: its flags say it in another way. Default: Node,RBAC. */
  authorizationMode?: string | null;
  /** Called once the other one's etcd is there, before it starts. */
  fill?(etcdUrl: string): Promise<void>;
  /** Called before the two start. Answers options of ours and flags of the other one. */
  prepare?(own: TestServer): Promise<{ options?: Partial<TestServer['options']>; flags?: string[] }>;
}

const saidCharactersMax = 50_000;

/** The two of them. */
export class TwoServers {
  readonly own: TestServer;
  /** Ours first. */
  readonly urls: readonly [string, string];
  readonly #running: ReturnType<typeof start>[];
  /** What the other API server has logged so far. */
  saidCharacters = 0;
  #said = '';

  private constructor(own: TestServer, url: string, running: ReturnType<typeof start>[]) {
    this.own = own;
    this.urls = [own.apiserver.url, url];
    this.#running = running;
  }

  static async start({
    port,
    etcdPort,
    authorizationMode = 'Node,RBAC',
    prepare,
    fill,
  }: TwoServersOptions): Promise<TwoServers> {
    // Debian's etcd is too old to tell how far its watches are, which watches with initial events need.
    const programs = await Promise.all([buildUpstream('etcd'), buildUpstream('kube-apiserver')]);
    const own = await TestServer.start();
    const { options: more = {}, flags = [] } = (await prepare?.(own)) ?? {};
    Object.assign(own.options, more);
    await own.restart();
    const at = (name: string) => join(own.folder, name);
    const { options } = own;
    const signing = readFileSync(options.serviceAccountSigningKeyFile);
    const publicKey = createPublicKey(signing).export({ type: 'spki', format: 'pem' });
    writeFileSync(at('service-account.pub'), publicKey);
    const [etcd, apiserver] = programs;
    const database = start(etcd, etcdFlags(at('etcd'), etcdPort));
    const etcdUrl = `http://127.0.0.1:${etcdPort}`;
    const isUp = () =>
      fetch(`${etcdUrl}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (fill) await eventually('etcd', isUp);
    await fill?.(etcdUrl);
    const server = start(apiserver, [
      ...[`--etcd-servers=${etcdUrl}`, `--secure-port=${port}`, '--bind-address=127.0.0.1'],
      ...[`--client-ca-file=${options.clientCaFile}`, `--tls-cert-file=${options.tlsCertFile}`],
      `--tls-private-key-file=${options.tlsPrivateKeyFile}`,
      ...(authorizationMode === null ? [] : [`--authorization-mode=${authorizationMode}`]),
      ...['--service-account-issuer=https://kubernetes.default.svc.cluster.local'],
      `--service-account-key-file=${at('service-account.pub')}`,
      `--service-account-signing-key-file=${options.serviceAccountSigningKeyFile}`,
      '--service-cluster-ip-range=10.96.0.0/16',
      ...flags,
    ]);
    const running = [database, server];
    const two = new TwoServers(own, `https://127.0.0.1:${port}`, running);
    server.stderr.on('data', (chunk: Buffer) => {
      const text = String(chunk);
      two.#said = `${two.#said}${text}`.slice(-saidCharactersMax);
      two.saidCharacters += text.length;
    });
    const isReady = async () => {
      const answer = await two.ask(two.urls[1], { method: 'GET', path: '/readyz' }).catch(() => undefined);
      return answer?.code === 200;
    };
    await eventually('the other API server', isReady).catch(async (error: unknown) => {
      await two.close();
      throw new Error(two.#said, { cause: error });
    });
    return two;
  }

  /** What the other API server has logged since it had logged so much, as far as it is kept. */
  saidSince(characters: number): string {
    return characters === this.saidCharacters ? '' : this.#said.slice(characters - this.saidCharacters);
  }

  ask(url: string, { method, path, body, type, headers, as = this.own.admin }: Asked): Promise<Answered> {
    const isWritten = body === undefined || typeof body === 'string' || body instanceof Buffer;
    const payload = isWritten ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = https.request(`${url}${path}`, {
        ...{ method, ca: this.own.authority.cert, agent: false, ...as },
        headers: {
          ...(payload
            ? { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(payload) }
            : {}),
          ...headers,
        },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          const bytes = Buffer.concat(chunks);
          resolve({ code: statusCode, headers, text: bytes.toString(), bytes });
        });
      });
      request.end(payload);
    });
  }

  /** A kubeconfig of the administrator for one of {@link urls}; `name` is the file's. */
  kubeconfigOf(url: string, name: string): string {
    const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
    const { admin, authority, folder } = this.own;
    const cluster = { server: url, 'certificate-authority-data': base64(authority.cert) };
    const user = { 'client-certificate-data': base64(admin.cert), 'client-key-data': base64(admin.key) };
    const file = join(folder, `${name}.kubeconfig`);
    writeFileSync(
      file,
      JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'it' },
        ...{ clusters: [{ name: 'it', cluster }], users: [{ name: 'it', user }] },
        contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
      }),
    );
    return file;
  }

  /** Whose a token is at one of {@link urls}; the code of a refusal. */
  async whoIs(url: string, token: string): Promise<object | number> {
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    const headers = { authorization: `Bearer ${token}` };
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const { code, text } = await this.ask(url, { method: 'POST', path, body, headers, as: null });
    return code === 201 ? JSON.parse(text).status.userInfo : code;
  }

  async close(): Promise<void> {
    // From the top down: the API server does not end in order once etcd has gone.
    for (const child of this.#running.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const closed = once(child, 'close');
      child.kill();
      await closed;
    }
    await this.own.close();
  }
}
