import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { AdmissionRequest, AdmissionResponse, WebhookClientConfig } from '@wherry/kubeapi';
import type { TestAuthority } from './pki.ts';

/** What a webhook of a test answers; undefined = never. */
export type Judge = (request: AdmissionRequest, path: string) => AdmissionResponse | undefined;

/** A webhook that listens on loopback, and remembers what it was asked. */
export class TestWebhook {
  readonly asked: AdmissionRequest[] = [];
  /** Who has asked: by which `Authorization`, and by the name of which certificate; '' where there is none. */
  readonly askers: { authorization: string; certificate: string }[] = [];
  judge: Judge = () => ({ allowed: true });
  readonly #server: Server;
  readonly #authority: TestAuthority;
  connections = 0;

  /** PEM. */
  readonly certificate: string;

  private constructor(server: Server, authority: TestAuthority, certificate: string) {
    this.certificate = certificate;
    this.#server = server;
    this.#authority = authority;
  }

  /** `address` is where it listens. */
  static async start(
    authority: TestAuthority,
    { hosts = ['127.0.0.1'], address = '127.0.0.1' } = {},
  ): Promise<TestWebhook> {
    const identity = await authority.issue({ name: 'webhook', hosts });
    const clients = { requestCert: true, rejectUnauthorized: false, ca: authority.cert };
    const server = createServer({ ...identity, ...clients });
    const webhook = new TestWebhook(server, authority, identity.cert);
    server.on('secureConnection', () => {
      webhook.connections += 1;
    });
    server.on('request', (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      const { authorization = '' } = request.headers;
      webhook.askers.push({ authorization, certificate: String(subject?.CN ?? '') });
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { apiVersion, request: asked } = JSON.parse(Buffer.concat(chunks).toString());
        webhook.asked.push(asked);
        const answer = webhook.judge(asked, request.url ?? '');
        if (!answer) return;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid: asked.uid, ...answer } }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return webhook;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For a configuration. */
  clientConfig(path = '/'): WebhookClientConfig {
    const caBundle = Buffer.from(this.#authority.cert).toString('base64');
    return { url: `https://127.0.0.1:${this.port}${path}`, caBundle };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** As a webhook's answer carries it. */
export function patchOf(...operations: object[]): Pick<AdmissionResponse, 'patch' | 'patchType'> {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}
