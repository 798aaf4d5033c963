import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import type { TestNode } from '../node.ts';
import { stretched } from '../slowness.ts';

/** Who sends a request: nobody when all is left out. */
export interface Identity {
  token?: string;
  cert?: Buffer;
  key?: Buffer;
}

/** What came back. */
export interface Reply {
  statusCode: number;
  text: string;
}

/** What is sent beyond its path. */
export interface AskOptions {
  method?: string;
  body?: string;
  contentType?: string;
  as?: Identity;
}

const patienceMs = 30_000;

/** Sends a request to a server of the node, exactly as its path is written, and reads the answer to its end. */
export function ask(origin: string, path: string, options: AskOptions = {}): Promise<Reply> {
  const { method = 'GET', body, contentType = 'application/json', as = {} } = options;
  const { protocol, hostname, port } = new URL(origin);
  const headers = {
    ...(as.token === undefined ? {} : { authorization: `Bearer ${as.token}` }),
    ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
  };
  const timeout = stretched(patienceMs);
  const where = { host: hostname, port, path, method, headers, agent: false, timeout } as const;
  const { cert, key } = as;
  return new Promise((resolve, reject) => {
    const request =
      protocol === 'https:'
        ? https.request({ ...where, cert, key, rejectUnauthorized: false })
        : http.request(where);
    request.on('response', async (response) => {
      response.on('error', reject);
      const chunks = await response.toArray().catch(reject);
      if (chunks) resolve({ statusCode: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    });
    request.on('timeout', () => request.destroy(new Error(`${origin}${path}: no answer in time`)));
    request.on('error', reject);
    request.end(body);
  });
}

/** The identity that a certificate of the node's gives. */
export function certificateOf(node: TestNode, name: string): Identity {
  const file = (ending: string) => readFileSync(join(node.dataDir, 'pki', `${name}.${ending}`));
  return { cert: file('crt'), key: file('key') };
}
