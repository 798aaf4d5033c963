/**
 * What a change of services costs with many of them, and what they cost a connection's first packet.
 *
 *   unshare --net node bench/services.ts [SERVICES] [ENDPOINTS_OF_EACH]
 *
 * Needs root. All happens in a network namespace of its own, whose loopback has every address of pods.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { systemClock } from '@wherry/clock';
import type { EndpointSlice, Service } from '@wherry/kubeapi';
import { createLogger } from '@wherry/telemetry';
import { ServiceRouter } from '../packages/service-proxy/src/service-router.ts';
import { KernelTable } from '../packages/service-proxy/src/table/kernel-table.ts';
import { percentile } from './statistics.ts';

const [services = 1_000, endpointsOfEach = 10] = process.argv.slice(2).map(Number);
const turns = 50;
const probeSeconds = 5;
const port = 8080;

execFileSync('ip', ['link', 'set', 'lo', 'up']);
execFileSync('ip', ['address', 'add', '10.88.0.0/16', 'dev', 'lo']);
execFileSync('ip', ['route', 'add', 'default', 'dev', 'lo']);
const server = createServer((socket) => socket.destroy()).listen(port, '0.0.0.0');
await once(server, 'listening');

const endpoints = new Map<string, string[]>();
const addressOf = (prefix: string, number: number) => `${prefix}.${number >> 8}.${number & 0xff}`;
const clusterAddress = (index: number) => addressOf('10.96', index + 2);
const service = (index: number): Service => ({
  metadata: {},
  spec: { clusterIP: clusterAddress(index), ports: [{ port: 80 }] },
});
const slice = (addresses: string[]): EndpointSlice => ({
  metadata: {},
  addressType: 'IPv4',
  ports: [{ port }],
  endpoints: addresses.map((address) => ({ addresses: [address] })),
});
const options = {
  family: 'ip' as const,
  bridgeName: 'none',
  foreignBridges: undefined,
  masqueradesAll: false,
  serviceCidr: '10.96.0.0/16',
};
const router = new ServiceRouter({
  family: 'ip',
  table: new KernelTable({ tables: ['bench', 'bench-next'], ...options }),
  place: () => ({
    ...{ family: 'ip', nodeName: 'bench', zone: undefined, nodeAddress: undefined },
    isOwn: () => false,
  }),
  isComplete: () => true,
  service: (key) => (endpoints.has(key) ? service(Number(key)) : undefined),
  slices: (key) => [slice(endpoints.get(key) ?? [])],
  furtherRanges: () => [],
  clock: systemClock,
  logger: createLogger('bench'),
});

const change = (index: number, addresses: string[] | undefined) => {
  if (addresses) endpoints.set(String(index), addresses);
  else endpoints.delete(String(index));
  router.mark(String(index));
};

async function connects(index: number): Promise<boolean> {
  const socket = connect({ host: clusterAddress(index), port: 80 });
  const outcome = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return outcome;
}

/** Milliseconds until a service can be connected to, or can not any more. */
async function untilConnects(index: number, wanted: boolean): Promise<number> {
  const startedMs = performance.now();
  while ((await connects(index)) !== wanted)
    if (performance.now() - startedMs > probeSeconds * 1000) throw new Error(`service ${index} stays`);
  return performance.now() - startedMs;
}

async function connectMs(): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns * 4; turn++) {
    const startedMs = performance.now();
    await connects(0);
    times.push(performance.now() - startedMs);
  }
  return percentile(times, 0.5);
}

const show = (what: string, ms: number) => console.log(`| ${what} | ${ms.toFixed(2)} ms |`);
const all = (index: number) =>
  Array.from({ length: endpointsOfEach }, (_, at) => addressOf('10.88', index * endpointsOfEach + at + 1));

console.log(`| ${services} services of ${endpointsOfEach} endpoints | median |\n| --- | --- |`);
change(0, all(0));
await untilConnects(0, true);
show('a connection to the only service', await connectMs());
const startedMs = performance.now();
for (let index = 1; index < services; index++) change(index, all(index));
await untilConnects(services - 1, true);
show('all services at once', performance.now() - startedMs);
show('a connection to one of all', await connectMs());
const [appears, gone, fewer]: number[][] = [[], [], []];
for (let turn = 0; turn < turns; turn++) {
  change(services, all(services));
  appears?.push(await untilConnects(services, true));
  change(services, undefined);
  gone?.push(await untilConnects(services, false));
  change(1, turn % 2 === 0 ? [] : all(1));
  fewer?.push(await untilConnects(1, turn % 2 === 1));
}
show('a service is there → its first connection', percentile(appears ?? [], 0.5));
show('a service is gone → a connection is refused', percentile(gone ?? [], 0.5));
show('the endpoints of a service go or come → packets', percentile(fewer ?? [], 0.5));
await router.close();
server.close();
