/**
 * What limits `kubectl logs`: a million lines of 98 bytes
 *
 *   node bench/streaming/kubectl-logs.ts [--turns 3]
 *
 * from a stand-in that has them in memory, sent in several ways, and from the node; into /dev/null and into a pipe.
 * Then the node's log without kubectl's line reader: `kubectl get --raw`, curl, our client. Each figure is the median
 * of its turns, MiB/s over the whole life of the process.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createKubeClient, type KubeClient, logs } from '@wherry/client';
import { MeasuredNode, podManifest } from '../node.ts';
import { mebibytesPerSecond, percentile, timed } from '../statistics.ts';
import { timedShell } from '../timed-shell.ts';
import { type SendingStyle, startStandIn } from './stand-in.ts';

const { values } = parseArgs({ options: { turns: { type: 'string', default: '3' } } });
const turns = Number(values.turns);
const lines = 1_000_000;
const line = Buffer.from(`${'x'.repeat(97)}\n`);
const totalBytes = lines * line.length;
const kibibyte = 1024;
const pod = 'log-lines';
const path = `/api/v1/namespaces/default/pods/${pod}/log`;

const styles: Record<string, SendingStyle> = {
  'memory, HTTP/1.1, chunks of 16 KiB': { framing: 'chunked', blockBytes: 16 * kibibyte },
  'memory, HTTP/1.1, chunks of 64 KiB': { framing: 'chunked', blockBytes: 64 * kibibyte },
  'memory, HTTP/1.1, chunks of 1 MiB': { framing: 'chunked', blockBytes: 1024 * kibibyte },
  'memory, HTTP/1.1, Content-Length': { framing: 'length', blockBytes: 256 * kibibyte },
  'memory, HTTP/1.1, gzip': { framing: 'chunked', blockBytes: 256 * kibibyte, gzip: true },
  'memory, HTTP/2': { framing: 'http2', blockBytes: 256 * kibibyte },
};

/** A shell command that prints the log, and how many bytes that makes. */
interface Printer {
  command: string;
  env: NodeJS.ProcessEnv;
  bytes?: number;
}

/** MiB/s of the command with `behind` at its end, which may count the bytes. */
async function rateOf({ command, env, bytes = totalBytes }: Printer, behind: string): Promise<number> {
  const script = `${command} ${behind}`;
  const { output, ms } = await timedShell(script, env);
  if (output !== '' && Number(output) !== bytes) throw new Error(`"${script}": ${output} of ${bytes} bytes`);
  return mebibytesPerSecond(bytes, ms);
}

async function median(measure: () => Promise<number>): Promise<string> {
  const rates: number[] = [];
  for (let turn = 0; turn < turns; turn++) rates.push(await measure());
  return percentile(rates, 0.5).toFixed(0);
}

/** One row: a command into /dev/null and into `wc`. */
async function row(title: string, printer: Printer): Promise<void> {
  const piped = await median(() => rateOf(printer, '| wc -c'));
  const dropped = await median(() => rateOf(printer, '> /dev/null'));
  console.log(`| ${title} | ${dropped} | ${piped} |`);
}

async function clientRate(client: KubeClient): Promise<number> {
  const before = performance.now();
  let received = 0;
  for await (const chunk of logs(client, { namespace: 'default', pod })) received += chunk.length;
  if (received !== totalBytes) throw new Error(`our client got ${received} of ${totalBytes} bytes`);
  return mebibytesPerSecond(totalBytes, performance.now() - before);
}

async function startWriter(node: MeasuredNode): Promise<void> {
  const script = `yes ${line.toString().trim()} | head -n ${lines}; sleep 86400`;
  await node.request('POST', '/api/v1/namespaces/default/pods', podManifest(pod, ['sh', '-c', script]));
  await node.kubectl(['wait', '--for=condition=Ready', `pod/${pod}`, '--timeout=60s']);
  for (let found = 0; found < totalBytes; found = (await node.request('GET', path)).length) await delay(500);
}

async function measure(node: MeasuredNode): Promise<void> {
  console.log('| a million lines of 98 bytes, MiB/s | > /dev/null | \\| wc -c |\n| --- | --: | --: |');
  const command = `kubectl logs ${pod}`;
  for (const [title, style] of Object.entries(styles)) {
    const standIn = await startStandIn(node, { line, lines }, style);
    const env = node.environment({ KUBECONFIG: standIn.kubeconfig });
    await row(`kubectl logs, ${title}`, { command, env }).finally(() => standIn.close());
  }
  const env = node.environment();
  await row('kubectl logs, wherry', { command, env });
  await row('kubectl get --raw, wherry', { command: `kubectl get --raw ${path}`, env });
  await curlRows(node, env);
  const client = createKubeClient({ kubeconfig: node.kubeconfig });
  console.log(`| our client, wherry API server | ${await median(() => clientRate(client))} | – |`);
  client.close();
  await printParts(node);
}

async function curlRows(node: MeasuredNode, env: NodeJS.ProcessEnv): Promise<void> {
  const file = (name: string) => join(node.dataDir, 'pki', name);
  const curl = `curl -sf --cacert ${file('ca.crt')} --cert ${file('admin.crt')} --key ${file('admin.key')}`;
  const own = file('apiserver-kubelet-client');
  const curlKubelet = `curl -sf --cacert ${file('kubelet-ca.crt')} --cert ${own}.crt --key ${own}.key`;
  const { status } = JSON.parse(await node.request('GET', '/api/v1/nodes')).items[0];
  const address = status.addresses.find(({ type }: { type: string }) => type === 'InternalIP').address;
  const kubelet = `https://${address}:${status.daemonEndpoints.kubeletEndpoint.Port}`;
  await row('curl, wherry kubelet', {
    command: `${curlKubelet} ${kubelet}/containerLogs/default/${pod}/main`,
    env,
  });
  await row('curl, wherry API server', { command: `${curl} ${node.server}${path}`, env });
  await row('curl, wherry API server, timestamps', {
    command: `${curl} ${node.server}${path}?timestamps=true`,
    env,
    bytes: totalBytes + lines * '2006-01-02T15:04:05.000000000Z '.length,
  });
}

/** How long it takes to get a part of that log. */
async function printParts(node: MeasuredNode): Promise<void> {
  for (const query of ['tailLines=10', 'tailLines=10000', 'limitBytes=1000']) {
    const samples = await timed(20, () => node.request('GET', `${path}?${query}`));
    console.log(`${query}: ${percentile(samples, 0.5).toFixed(1)} ms p50`);
  }
}

const node = await MeasuredNode.start();
try {
  await startWriter(node);
  await measure(node);
} finally {
  await node.close();
}
