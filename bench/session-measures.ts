/** Single measurements of sessions through kubectl, on any node. Each checks that all bytes came. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { transports } from './node.ts';
import type { Side } from './side.ts';
import { mebibytesPerSecond, percentile, timed } from './statistics.ts';
import { timedShell } from './timed-shell.ts';

const mebibyte = 1024 ** 2;
/** The pod that sessions are opened in; see {@link sessionServers}. */
export const sessionPod = 'streams';

/** A transport of kubectl. */
export type TransportName = keyof typeof transports;
export const transportNames: TransportName[] = ['websocket', 'spdy'];

/** Runs a shell line that calls kubectl; its output and how long it took. */
export function shell(
  node: Side,
  transport: TransportName,
  script: string,
): Promise<{ output: string; ms: number }> {
  return timedShell(script, node.environment(transports[transport]));
}

async function throughput(
  node: Side,
  transport: TransportName,
  bytes: number,
  script: string,
): Promise<number> {
  const { output, ms } = await shell(node, transport, script);
  if (Number(output) !== bytes)
    throw new Error(`${transport}: ${output} of ${bytes} bytes arrived: ${script}`);
  return mebibytesPerSecond(bytes, ms);
}

/** What the session pod runs: a small page on 8080, 256 MiB of zeros for each connection on 9000. */
export const sessionServers =
  'mkdir -p /tmp/www; echo hello > /tmp/www/small; httpd -p 8080 -h /tmp/www; ' +
  'while true; do nc -l -p 9000 -e dd if=/dev/zero bs=1M count=256; done';

/** Median of `count` runs of `kubectl exec POD -- true`, whole processes, in milliseconds. */
export async function execTrueMs(node: Side, transport: TransportName, count: number): Promise<number> {
  const run = () => node.kubectl(['exec', sessionPod, '--', 'true'], transports[transport]);
  return percentile(await timed(count, run), 0.5);
}

/** MiB/s of a command's output through kubectl. */
export function execOut(node: Side, transport: TransportName, mebibytes: number): Promise<number> {
  const script = `kubectl exec ${sessionPod} -- dd if=/dev/zero bs=1M count=${mebibytes} 2>/dev/null | wc -c`;
  return throughput(node, transport, mebibytes * mebibyte, script);
}

/** MiB/s of a command's input through kubectl. */
export function execIn(node: Side, transport: TransportName, mebibytes: number): Promise<number> {
  const bytes = mebibytes * mebibyte;
  const script = `head -c ${bytes} /dev/zero | kubectl exec -i ${sessionPod} -- wc -c`;
  return throughput(node, transport, bytes, script);
}

/** MiB/s of 256 MiB over one forwarded connection. */
export function forwardBulk(node: Side, transport: TransportName): Promise<number> {
  return forwarded(node, transport, 9000, (port) => download(port, 256 * mebibyte));
}

/** Median of `count` small GETs through one forward, each over a connection of its own, in milliseconds. */
export function forwardGetMs(node: Side, transport: TransportName, count: number): Promise<number> {
  return forwarded(node, transport, 8080, async (port) => {
    const agent = new http.Agent({ keepAlive: false });
    return percentile(await timed(count, () => get(port, agent)), 0.5);
  });
}

/** Runs `use` while kubectl forwards a local port to `remotePort`. */
async function forwarded<T>(
  node: Side,
  transport: TransportName,
  remotePort: number,
  use: (localPort: number) => Promise<T>,
): Promise<T> {
  const child = spawn('kubectl', ['port-forward', sessionPod, `:${remotePort}`, '--address', '127.0.0.1'], {
    env: node.environment(transports[transport]),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      const port = /127\.0\.0\.1:(\d+) ->/.exec(text)?.[1];
      if (port) {
        child.stdout.resume();
        return await use(Number(port));
      }
    }
    throw new Error(`kubectl port-forward ended: ${text}`);
  } finally {
    child.kill('SIGTERM');
  }
}

async function download(port: number, bytes: number): Promise<number> {
  const before = performance.now();
  const socket = connect({ port, host: '127.0.0.1' });
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  await once(socket, 'end');
  socket.destroy();
  if (received !== bytes) throw new Error(`${received} of ${bytes} bytes came through the forwarded port`);
  return mebibytesPerSecond(bytes, performance.now() - before);
}

function get(port: number, agent: http.Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/small', agent }, (answer) => {
      const length = Number(answer.headers['content-length']);
      let received = 0;
      answer.on('data', (chunk) => {
        received += chunk.length;
        if (received === length) resolve();
      });
      answer.on('error', () => {});
    });
    request.on('error', reject);
  });
}
