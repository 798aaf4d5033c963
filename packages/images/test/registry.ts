/** A registry on loopback that serves one image for pulls, by http or https, and tells what it was asked. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ImageBytes } from './image-delivery.ts';

const digestOf = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** What a registry may be told to do. */
export interface TestRegistryOptions {
  image: ImageBytes;
  /** Path of the repository below `/v2/`. Default `a/b`; its tag is `v1`. */
  repository?: string;
  /** Root of its API. Default `/v2`. */
  root?: string;
  /** Files of its certificate; by http without. */
  tls?: { certificate: string; key: string; clientAuthority?: string };
  /** Answers instead by returning true. */
  hook?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** A registry that runs. */
export interface TestRegistry {
  /** `127.0.0.1:PORT`. */
  host: string;
  port: number;
  /** Requests so far: method, path with query. */
  requests: string[];
  /** The headers of each. */
  headers: IncomingMessage['headers'][];
  close(): void;
}

/** Starts one. */
export async function startTestRegistry(options: TestRegistryOptions): Promise<TestRegistry> {
  const { image, repository = 'a/b', root = '/v2', tls, hook = () => false } = options;
  const contents = new Map<string, { type: string; bytes: Buffer }>();
  for (const reference of ['v1', digestOf(image.manifest)])
    contents.set(`${root}/${repository}/manifests/${reference}`, { type: image.type, bytes: image.manifest });
  for (const bytes of image.blobs)
    contents.set(`${root}/${repository}/blobs/${digestOf(bytes)}`, {
      type: 'application/octet-stream',
      bytes,
    });
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    if (hook(request, response)) return;
    const found = contents.get((request.url ?? '').split('?')[0] ?? '');
    if (!found) response.writeHead(404).end('{"errors":[{"code":"NAME_UNKNOWN"}]}');
    else response.writeHead(200, { 'content-type': found.type }).end(found.bytes);
  };
  const server: Server = tls ? createSecureServer(secureOptions(tls), serve) : createServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    port,
    requests,
    headers,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function secureOptions({
  certificate,
  key,
  clientAuthority,
}: NonNullable<TestRegistryOptions['tls']>): ServerOptions {
  return {
    cert: readFileSync(certificate),
    key: readFileSync(key),
    ...(clientAuthority && {
      ca: readFileSync(clientAuthority),
      requestCert: true,
      rejectUnauthorized: true,
    }),
  };
}
