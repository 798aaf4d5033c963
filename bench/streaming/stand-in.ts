import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { MeasuredNode } from '../node.ts';

/** How the stand-in sends a log. */
export interface SendingStyle {
  /** HTTP/1.1 in chunks, HTTP/1.1 with a Content-Length, or HTTP/2. */
  framing: 'chunked' | 'length' | 'http2';
  /** Bytes of one write, a whole number of lines. */
  blockBytes: number;
  gzip?: boolean;
}

/** A server that gives kubectl any log it asks for out of memory, and all else from the node. */
export interface StandIn {
  kubeconfig: string;
  close(): Promise<void>;
}

/** Starts a stand-in that sends `line` so many times, with the node's own certificate. */
export async function startStandIn(
  node: MeasuredNode,
  log: { line: Buffer; lines: number },
  style: SendingStyle,
): Promise<StandIn> {
  const send = logSender(log, style);
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    if (/\/log(\?|$)/.test(request.url ?? '')) return send(response);
    const answer = await node.request('GET', request.url ?? '/').catch(() => undefined);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(answer ?? '{}');
  };
  const tls = {
    cert: readFileSync(join(node.dataDir, 'pki/apiserver.crt')),
    key: readFileSync(join(node.dataDir, 'pki/apiserver.key')),
  };
  const server: Server = style.framing === 'http2' ? createSecureServer(tls) : createServer(tls);
  // An HTTP/2 request and its answer have what is used here of HTTP/1.1's.
  server.on('request', serve);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(node.dataDir, `kubeconfig-${port}`);
  const own = readFileSync(node.kubeconfig, 'utf8');
  writeFileSync(kubeconfig, own.replace(/server: .*/, `server: https://127.0.0.1:${port}`), { mode: 0o600 });
  return {
    kubeconfig,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes the log as fast as it is taken. */
function logSender(
  log: { line: Buffer; lines: number },
  style: SendingStyle,
): (response: ServerResponse) => void {
  const { line, lines } = log;
  const linesPerBlock = Math.max(1, Math.floor(style.blockBytes / line.length));
  const block = Buffer.concat(Array.from({ length: linesPerBlock }, () => line));
  const packed = style.gzip
    ? gzipSync(Buffer.concat(Array.from({ length: lines }, () => line)), { level: 1 })
    : null;
  return (response) => {
    const totalBytes = lines * line.length;
    response.writeHead(200, {
      'content-type': 'text/plain',
      ...(style.framing === 'length' ? { 'content-length': totalBytes } : {}),
      ...(packed ? { 'content-encoding': 'gzip' } : {}),
    });
    if (packed) return void response.end(packed);
    let left = totalBytes;
    const more = () => {
      while (left > 0) {
        const piece = block.subarray(0, left);
        left -= piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  };
}
