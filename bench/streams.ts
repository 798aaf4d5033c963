/** Streams through kubectl: exec latency, exec and port-forward throughput, logs. */
import type { Figure } from './figure.ts';
import { type MeasuredNode, podManifest } from './node.ts';
import {
  execIn,
  execOut,
  execTrueMs,
  forwardBulk,
  forwardGetMs,
  sessionPod,
  sessionServers,
  shell,
  type TransportName,
  transportNames,
} from './session-measures.ts';
import { mebibytesPerSecond, percentile, timed } from './statistics.ts';

const logPod = 'log-lines';

async function both(measure: (transport: TransportName) => Promise<number>, unit: string): Promise<string> {
  const values: string[] = [];
  for (const transport of transportNames) values.push((await measure(transport)).toFixed(1));
  return `${values[0]} ${unit} WebSocket, ${values[1]} SPDY`;
}

async function execLatency(node: MeasuredNode): Promise<Figure> {
  const alone = percentile(await timed(10, () => node.kubectl(['version', '--client'])), 0.5);
  return {
    name: '`kubectl exec pod -- true`, whole process, p50',
    value: `${await both((transport) => execTrueMs(node, transport, 20), 'ms')} (kubectl alone: ${alone.toFixed(0)})`,
    upstream: '110 ms WebSocket, 101 ms SPDY (kubectl alone: 41)',
    aim: '≤ 80 ms',
  };
}

async function execThroughput(node: MeasuredNode): Promise<Figure[]> {
  return [
    {
      name: 'exec, 1 GiB stdout through kubectl',
      value: await both((transport) => execOut(node, transport, 1024), 'MiB/s'),
      upstream: '172 MiB/s WebSocket, 278 SPDY',
      aim: '≥ the same',
    },
    {
      name: 'exec, 512 MiB stdin through kubectl',
      value: await both((transport) => execIn(node, transport, 512), 'MiB/s'),
      upstream: '104 MiB/s WebSocket, 146 SPDY',
      aim: '≥ the same',
    },
  ];
}

async function portForward(node: MeasuredNode): Promise<Figure[]> {
  return [
    {
      name: 'port-forward, 256 MiB over one connection',
      value: await both((transport) => forwardBulk(node, transport), 'MiB/s'),
      upstream: '203 MiB/s WebSocket, 293 SPDY',
      aim: '≥ the same',
    },
    {
      name: 'port-forward, one small HTTP GET, p50',
      value: await both((transport) => forwardGetMs(node, transport, 30), 'ms'),
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

export async function measureStreams(node: MeasuredNode): Promise<Figure[]> {
  await node.request(
    'POST',
    '/api/v1/namespaces/default/pods',
    podManifest(sessionPod, ['sh', '-c', sessionServers]),
  );
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${sessionPod}`, '--timeout=60s']);
  try {
    return [
      await execLatency(node),
      ...(await execThroughput(node)),
      ...(await portForward(node)),
      await logs(node),
    ];
  } finally {
    await node.kubectl([
      'delete',
      'pod',
      sessionPod,
      logPod,
      '--ignore-not-found',
      '--grace-period=0',
      '--force',
    ]);
  }
}
