/** Streams through kubectl: exec latency, exec and port-forward throughput, logs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import type { Figure } from './figure.ts';
import { type MeasuredNode, podManifest, transports } from './node.ts';
import { mebibytesPerSecond, percentile, timed } from './statistics.ts';

const mebibyte = 1024 ** 2;
const pod = 'streams';
const logPod = 'log-lines';

type TransportName = keyof typeof transports;
const transportNames: TransportName[] = ['websocket', 'spdy'];

async function shell(
  node: MeasuredNode,
  transport: TransportName,
  script: string,
): Promise<{ output: string; ms: number }> {
  const before = performance.now();
  const child = spawn('bash', ['-o', 'pipefail', '-c', script], {
    env: node.environment(transports[transport]),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`"${script}" ended with exit code ${code}`);
  return { output: output.trim(), ms: performance.now() - before };
}

async function throughput(
  node: MeasuredNode,
  transport: TransportName,
  bytes: number,
  script: string,
): Promise<number> {
  const { output, ms } = await shell(node, transport, script);
  if (Number(output) !== bytes)
    throw new Error(`${transport}: ${output} of ${bytes} bytes arrived: ${script}`);
  return mebibytesPerSecond(bytes, ms);
}

async function both(measure: (transport: TransportName) => Promise<number>, unit: string): Promise<string> {
  const values: string[] = [];
  for (const transport of transportNames) values.push((await measure(transport)).toFixed(1));
  return `${values[0]} ${unit} WebSocket, ${values[1]} SPDY`;
}

async function execLatency(node: MeasuredNode): Promise<Figure> {
  const latency = async (transport: TransportName) =>
    percentile(await timed(20, () => node.kubectl(['exec', pod, '--', 'true'], transports[transport])), 0.5);
  const alone = percentile(await timed(10, () => node.kubectl(['version', '--client'])), 0.5);
  return {
    name: '`kubectl exec pod -- true`, whole process, p50',
    value: `${await both(latency, 'ms')} (kubectl alone: ${alone.toFixed(0)})`,
    upstream: '110 ms WebSocket, 101 ms SPDY (kubectl alone: 41)',
    aim: '≤ 80 ms',
  };
}

async function execThroughput(node: MeasuredNode): Promise<Figure[]> {
  const outBytes = 1024 * mebibyte;
  const inBytes = 512 * mebibyte;
  const out = `kubectl exec ${pod} -- dd if=/dev/zero bs=1M count=1024 2>/dev/null | wc -c`;
  const into = `head -c ${inBytes} /dev/zero | kubectl exec -i ${pod} -- wc -c`;
  return [
    {
      name: 'exec, 1 GiB stdout through kubectl',
      value: await both((transport) => throughput(node, transport, outBytes, out), 'MiB/s'),
      upstream: '172 MiB/s WebSocket, 278 SPDY',
      aim: '≥ the same',
    },
    {
      name: 'exec, 512 MiB stdin through kubectl',
      value: await both((transport) => throughput(node, transport, inBytes, into), 'MiB/s'),
      upstream: '104 MiB/s WebSocket, 146 SPDY',
      aim: '≥ the same',
    },
  ];
}

/** Runs `use` while kubectl forwards a local port to `remotePort`. */
async function forwarded<T>(
  node: MeasuredNode,
  transport: TransportName,
  remotePort: number,
  use: (localPort: number) => Promise<T>,
): Promise<T> {
  const child = spawn('kubectl', ['port-forward', pod, `:${remotePort}`, '--address', '127.0.0.1'], {
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

async function portForward(node: MeasuredNode): Promise<Figure[]> {
  const bytes = 256 * mebibyte;
  const bulk = (transport: TransportName) =>
    forwarded(node, transport, 9000, (port) => download(port, bytes));
  const small = (transport: TransportName) =>
    forwarded(node, transport, 8080, async (port) => {
      const agent = new http.Agent({ keepAlive: false });
      return percentile(await timed(30, () => get(port, agent)), 0.5);
    });
  return [
    {
      name: 'port-forward, 256 MiB over one connection',
      value: await both(bulk, 'MiB/s'),
      upstream: '203 MiB/s WebSocket, 293 SPDY',
      aim: '≥ the same',
    },
    {
      name: 'port-forward, one small HTTP GET, p50',
      value: await both(small, 'ms'),
      upstream: '3.4 ms WebSocket, 3.1 SPDY',
      aim: '≤ 3 ms',
    },
  ];
}

async function logs(node: MeasuredNode): Promise<Figure> {
  const lines = 1_000_000;
  const line = 'x'.repeat(97);
  await node.request(
    'POST',
    '/api/v1/namespaces/default/pods',
    podManifest(logPod, ['sh', '-c', `yes ${line} | head -n ${lines}; sleep 86400`]),
  );
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${logPod}`, '--timeout=60s']);
  for (let last = -1; ; ) {
    const { output } = await shell(node, 'websocket', `kubectl logs ${logPod} | wc -c`);
    if (Number(output) === last) break;
    last = Number(output);
  }
  const { output, ms } = await shell(node, 'websocket', `kubectl logs ${logPod} | wc -c`);
  if (Number(output) !== lines * 98) throw new Error(`kubectl logs gave ${output} bytes`);
  return {
    name: '`kubectl logs` of 100 MB in 98-byte lines',
    value: `${mebibytesPerSecond(Number(output), ms).toFixed(0)} MiB/s`,
    upstream: '28 MiB/s',
    aim: '≥ 200 MiB/s',
  };
}

const servers =
  'mkdir -p /tmp/www; echo hello > /tmp/www/small; httpd -p 8080 -h /tmp/www; ' +
  'while true; do nc -l -p 9000 -e dd if=/dev/zero bs=1M count=256; done';

export async function measureStreams(node: MeasuredNode): Promise<Figure[]> {
  await node.request('POST', '/api/v1/namespaces/default/pods', podManifest(pod, ['sh', '-c', servers]));
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=60s']);
  try {
    return [
      await execLatency(node),
      ...(await execThroughput(node)),
      ...(await portForward(node)),
      await logs(node),
    ];
  } finally {
    await node.kubectl(['delete', 'pod', pod, logPod, '--ignore-not-found', '--grace-period=0', '--force']);
  }
}
