import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf } from '../../e2e/documented-blocks.ts';
import { makeCertificate } from '../../packages/upgrade/test/certificate.ts';
import { installFrameworks } from './install.ts';

/** What a gateway of docs/gateways.md is told apart by, and where it is asked. */
const shown = [
  { name: 'Node', word: 'timingSafeEqual', scheme: 'https', prefix: '' },
  { name: 'Express', word: "from 'express'", scheme: 'http', prefix: '/clusters/one' },
  { name: 'Fastify', word: "from 'fastify'", scheme: 'http', prefix: '/clusters/one' },
  { name: 'Hono', word: "from 'hono'", scheme: 'http', prefix: '/clusters/one' },
  { name: 'HTTP/2', word: 'createSecureServer', scheme: 'https', prefix: '' },
] as const;

/** Names of the gateways that the document shows. */
export const gatewayNames = shown.map(({ name }) => name);

/** Gateways of the document, in front of one cluster. */
export interface DocumentedGateways extends AsyncDisposable {
  /** A kubeconfig of the gateway's users, who know the token that the first one asks for. */
  kubeconfigOf(name: string): string;
}

/** Starts all gateways of docs/gateways.md as they stand there, with the kubeconfig of a cluster. */
export async function startDocumentedGateways(kubeconfig: string): Promise<DocumentedGateways> {
  installFrameworks();
  const files = mkdtempSync(join(tmpdir(), 'wherry-gateways-'));
  const modules = mkdtempSync(join(import.meta.dirname, 'node_modules/.documented-'));
  const { key, cert, ca } = makeCertificate('gateway');
  const at = (name: string, content: string | Buffer): string => {
    const path = join(files, name);
    writeFileSync(path, content);
    return path;
  };
  const environment = {
    ...{ KUBECONFIG: kubeconfig, GATEWAY_TOKEN: 'of-a-user' },
    ...{ KEY: at('key.pem', key), CERTIFICATE: at('cert.pem', cert) },
  };
  Object.assign(process.env, environment);
  const servers: Server[] = [];
  const started = new Map<string, string>();
  for (const [index, { name, word, scheme, prefix }] of shown.entries()) {
    const block = blocksOf('docs/gateways.md').find(({ text }) => text.includes(word));
    const path = join(modules, `${index}.mjs`);
    writeFileSync(path, stripTypeScriptTypes(block?.text ?? ''));
    const { gateway } = (await import(path)) as { gateway: Server };
    await once(gateway.listen(0, '127.0.0.1'), 'listening');
    servers.push(gateway);
    const { port } = gateway.address() as AddressInfo;
    const authority = scheme === 'https' && { 'certificate-authority-data': ca.toString('base64') };
    const cluster = { server: `${scheme}://127.0.0.1:${port}${prefix}`, ...authority };
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'it' },
      clusters: [{ name: 'it', cluster }],
      users: [{ name: 'it', user: { token: environment.GATEWAY_TOKEN } }],
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    };
    started.set(name, at(`kubeconfig-${index}`, JSON.stringify(config)));
  }
  return {
    kubeconfigOf(name) {
      const path = started.get(name);
      if (path === undefined) throw new Error(`docs/gateways.md shows no gateway ${name}`);
      return path;
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.close();
        // A server of HTTP/2 has none.
        server.closeAllConnections?.();
      }
      for (const folder of [files, modules]) rmSync(folder, { recursive: true, force: true });
    },
  };
}
