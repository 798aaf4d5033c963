import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TLSSocket } from 'node:tls';
import type { Credentials } from './pki.ts';
import type { TestServer } from './test-server.ts';

/** What one request to the extension server was. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  /** The common name of the certificate that it came with, if those who sign front proxies' had signed it. */
  proxy: string | undefined;
  body: string;
}

/** An extension server of `ext.example.com/v1` that notes what it is asked, and answers as it is told. */
export class TestExtension {
  readonly seen: Seen[] = [];
  readonly address: string;
  readonly #server: Server;
  /** Answers what is not discovery; by default with what it was asked. */
  answer: (seen: Seen, response: ServerResponse) => void = (seen, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ kind: 'Thing', seen }));
  };

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
    server.on('request', (request: IncomingMessage, response) => void this.#serve(request, response));
    server.on('upgrade', (request: IncomingMessage, socket) => {
      this.#note(request, '');
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: SPDY/3.1\r\n\r\n');
      socket.pipe(socket);
    });
  }

  /** `frontProxyCa` is PEM. Listens at an address of the machine besides loopback, as a pod's would be. */
  static async start(serving: Credentials, frontProxyCa: string): Promise<TestExtension> {
    const address = Object.values(networkInterfaces())
      .flatMap((entries) => entries ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    if (address === undefined) throw new Error('the machine has no address besides loopback');
    const tls = { ...serving, ca: frontProxyCa, requestCert: true, rejectUnauthorized: false };
    const server = createServer(tls);
    await new Promise<void>((resolve) => server.listen(0, address, resolve));
    return new TestExtension(server, address);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Makes the service `extension`, whose certificate names `extension.default.svc`, and has it serve its group. */
  async register(server: TestServer): Promise<void> {
    const made = async (path: string, body: object) => {
      const { status, text } = await server.request('POST', path, { body });
      if (status !== 201) throw new Error(`${path}: ${text}`);
    };
    const ports = [{ name: 'https', port: 443 }];
    await made('/api/v1/namespaces/default/services', { metadata: { name: 'extension' }, spec: { ports } });
    await made('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'extension-1', labels: { 'kubernetes.io/service-name': 'extension' } },
      ...{ addressType: 'IPv4', endpoints: [{ addresses: [this.address] }] },
      ports: [{ name: 'https', port: this.port }],
    });
    await made('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.ext.example.com' },
      spec: {
        ...{ group: 'ext.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
        service: { namespace: 'default', name: 'extension' },
        caBundle: Buffer.from(server.authority.cert).toString('base64'),
      },
    });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #note(request: IncomingMessage, body: string): Seen {
    const socket = request.socket as TLSSocket;
    const { method = '', url = '', headers } = request;
    const name = socket.authorized ? socket.getPeerCertificate().subject.CN : undefined;
    const seen = { method, url, headers, proxy: name as string | undefined, body };
    this.seen.push(seen);
    return seen;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const document = documents[request.url ?? ''];
    if (document === undefined) return this.answer(this.#note(request, body), response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document));
  }
}

const things = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', shortNames: ['th'] };
const documents: Readonly<Record<string, object>> = {
  '/apis/ext.example.com/v1': {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: 'ext.example.com/v1',
    resources: [
      { ...things, verbs: ['get', 'list', 'create', 'watch'] },
      { ...things, name: 'things/status', singularName: '', shortNames: undefined, verbs: ['get'] },
    ],
  },
  '/openapi/v3': {
    paths: {
      'apis/ext.example.com/v1': { serverRelativeURL: '/openapi/v3/apis/ext.example.com/v1?hash=AB12' },
      'apis/apps/v1': { serverRelativeURL: '/openapi/v3/apis/apps/v1?hash=FALSE' },
    },
  },
  '/openapi/v3/apis/ext.example.com/v1?hash=AB12': { openapi: '3.0.0', info: { title: 'theirs' } },
};
