import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';

/** API servers that answer what nobody hopes for. */
export interface WrongServers {
  /** Answers by the first part of the path: `/401/…` with that status. */
  plain: string;
  /** Has a certificate of an authority that nobody knows. */
  strange: string;
  close(): void;
}

const words: Record<number, [reason: string, message: string]> = {
  401: ['Unauthorized', 'Unauthorized'],
  403: ['Forbidden', 'pods is forbidden: User "x" cannot list resource "pods"'],
  429: ['TooManyRequests', 'too many requests'],
  500: ['InternalError', 'the store is not there'],
};

const answer: RequestListener = (request, response) => {
  const [, first = ''] = (request.url ?? '').split('/');
  const code = Number(first);
  if (!Object.hasOwn(words, code)) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>a login page</html>');
    return;
  }
  const [reason, message] = words[code] ?? [];
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code };
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
};

/** Starts them; the key and certificate are made in `folder`. */
export async function startWrongServers(folder: string): Promise<WrongServers> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=elsewhere', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { status, stderr } = spawnSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      ...subject,
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
  const plain = createPlainServer(answer);
  const strange = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer);
  return {
    plain: `http://127.0.0.1:${await listen(plain)}`,
    strange: `https://127.0.0.1:${await listen(strange)}`,
    close() {
      for (const server of [plain, strange]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
