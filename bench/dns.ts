/**
 * Questions answered per second by the cluster's DNS, asked by dnsperf (Debian: dnsperf) in a process of its own, and what a
 * lone client waits.
 *
 *   node bench/dns.ts [seconds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FakeCluster, service, slice } from '../packages/dns/test/fake-cluster.ts';
import { printFigures } from './figure.ts';

const services = 1_000;
const endpointsEach = 10;

/** The server lives in a thread of its own, since this one waits for dnsperf. It answers each message with its processor time. */
interface Served {
  port: number;
  cpuMs: number;
}

if (process.argv[2] === 'serve') {
  const { parentPort } = await import('node:worker_threads');
  const cluster = new FakeCluster();
  for (let index = 0; index < services; index++) {
    const isHeadless = index % 10 === 0;
    const ip = isHeadless ? 'None' : `10.96.${index >> 8}.${index & 255}`;
    cluster.services.set(service(`s${index}`, { clusterIP: ip, ports: [{ name: 'http', port: 80 }] }));
    const endpoints = Array.from({ length: endpointsEach }, (_, each) => ({
      ...{ addresses: [`10.${100 + (index >> 8)}.${index & 255}.${each}`], hostname: `p${each}` },
    }));
    cluster.slices.set(slice(`s${index}`, endpoints));
  }
  const { port } = await cluster.start({ after() {} });
  const tell = () => {
    const { user, system } = process.threadCpuUsage();
    parentPort?.postMessage({ port, cpuMs: (user + system) / 1000 } satisfies Served);
  };
  parentPort?.on('message', tell);
} else {
  const seconds = process.argv[2] ?? '5';
  const worker = new Worker(new URL(import.meta.url), { argv: ['serve'] });
  const look = () =>
    new Promise<Served>((resolve) => {
      worker.once('message', resolve);
      worker.postMessage('');
    });
  const { port } = await look();
  const folder = mkdtempSync(join(tmpdir(), 'wherry-bench-dns-'));
  const file = join(folder, 'questions');
  const kinds = (index: number) => [
    `s${index}.default.svc.cluster.local A`,
    `s${index}.default.svc.cluster.local AAAA`,
    `p3.s${index}.default.svc.cluster.local A`,
    `_http._tcp.s${index}.default.svc.cluster.local SRV`,
    `none${index}.default.svc.cluster.local A`,
  ];
  writeFileSync(file, Array.from({ length: services }, (_, index) => kinds(index).join('\n')).join('\n'));
  const measure = (outstanding: number) => {
    const words = [
      '-s',
      '127.0.0.1',
      '-p',
      String(port),
      '-d',
      file,
      '-l',
      seconds,
      '-q',
      String(outstanding),
    ];
    const { stdout, error } = spawnSync('dnsperf', words, { encoding: 'utf8' });
    if (error) throw new Error(`dnsperf cannot be run; install dnsperf: ${error.message}`);
    const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
    return {
      count: number(/Queries completed:\s+(\d+)/),
      perSecond: Math.round(number(/Queries per second:\s+([\d.]+)/)),
      lost: number(/Queries lost:\s+(\d+)/),
      averageMs: number(/Average Latency \(s\):\s+([\d.]+)/) * 1000,
    };
  };
  try {
    const before = await look();
    const many = measure(64);
    const cpuMs = (await look()).cpuMs - before.cpuMs;
    const one = measure(1);
    printFigures([
      {
        name: `answers per second, 64 questions at once, ${many.lost} lost`,
        ...{ value: String(many.perSecond), upstream: '–', aim: '≥ 20,000' },
      },
      {
        name: 'answers per second of the server’s processor time',
        ...{ value: String(Math.round((many.count / cpuMs) * 1000)), upstream: '–', aim: '≥ 20,000' },
      },
      {
        name: 'a lone question, on average',
        ...{ value: `${one.averageMs.toFixed(2)} ms`, upstream: '–', aim: '≤ 0.5 ms' },
      },
    ]);
  } finally {
    await worker.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}
