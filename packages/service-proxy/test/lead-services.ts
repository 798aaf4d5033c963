/** Leads services of both families by the kernel of this network namespace, sends packets to them, and prints what came of it. */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { type Clock, systemClock } from '@wherry/clock';
import type { EndpointSlice, Service } from '@wherry/kubeapi';
import type { AddressFamily } from '@wherry/linux';
import { silentLogger } from '@wherry/telemetry';
import { ServiceRouter } from '../src/service-router.ts';
import { KernelTable } from '../src/table/kernel-table.ts';

const families = {
  ip: {
    type: 'IPv4',
    range: '10.96.0.0/16',
    further: '10.97.0.0/16',
    services: '10.96.0.',
    pods: '10.0.0.',
    length: 24,
    node: '10.0.0.9',
    balancers: '192.0.2.',
  },
  ip6: {
    type: 'IPv6',
    range: 'fd00:96::/112',
    further: 'fd00:97::/112',
    services: 'fd00:96::',
    pods: 'fd00:1::',
    length: 64,
    node: 'fd00:1::9',
    balancers: '2001:db8::',
  },
} as const;

const ip = (...words: string[]) => execFileSync('ip', words);
ip('link', 'set', 'lo', 'up');
ip('link', 'add', 'pods', 'type', 'bridge');
for (const { pods, length, range, further, balancers } of Object.values(families)) {
  for (const host of [1, 2, 9])
    ip('addr', 'add', `${pods}${host}/${length}`, 'dev', 'pods', ...(pods.includes(':') ? ['nodad'] : []));
  ip('link', 'set', 'pods', 'up');
  for (const to of [range, further, `${balancers}${pods.includes(':') ? '/64' : '0/24'}`])
    ip('route', 'add', to, 'dev', 'pods');
}

/** A server at each of two pods, which answers with its number, by TCP and UDP. */
async function serve(pods: string): Promise<void> {
  for (const host of [1, 2]) {
    const server = createServer((socket) => socket.end(`${host}`)).listen(8080, `${pods}${host}`);
    const socket = createSocket(pods.includes(':') ? 'udp6' : 'udp4').bind(8080, `${pods}${host}`);
    socket.on('message', (_, { port, address }) => socket.send(`${host}`, port, address));
    await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
  }
}

interface Asked {
  /** Which address of this machine it comes from. */
  localAddress?: string;
  timeoutMs?: number;
}

/** What a server answers, or the code of the error. */
function ask(host: string, port: number, { localAddress, timeoutMs = 1_000 }: Asked = {}): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host, port, timeout: timeoutMs, localAddress });
  socket.on('data', (data) => resolve(data.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  socket.on('timeout', () => resolve('timeout'));
  return promise.finally(() => socket.destroy());
}

async function several(host: string, port: number, how?: Asked): Promise<string> {
  const answers = new Set<string>();
  for (let tries = 0; tries < 20; tries++) answers.add(await ask(host, port, how));
  return [...answers].sort().join();
}

/** Periods pass sooner, so that nobody waits for the next look at the table. */
const hasty: Clock = {
  ...systemClock,
  after: (delayMs, callback) => systemClock.after(delayMs / 20, callback),
};

async function lead(family: AddressFamily) {
  const { type, range, further, services, pods, node, balancers } = families[family];
  await serve(pods);
  const hosts = new Map([
    ['web', [1, 2]],
    ['none', []],
    ['sticky', [1, 2]],
    ['datagrams', [1]],
    ['balanced', [1, 2]],
    ['away', []],
  ]);
  /** Those that are about to end, and still answer. */
  const ending = new Set<number>();
  const loadBalancerSourceRanges = [range, `${pods}2/${family === 'ip' ? 32 : 128}`];
  const specs: Record<string, Service['spec']> = {
    web: { type: 'NodePort', clusterIPs: [`${services}7`], ports: [{ port: 80, nodePort: 30_080 }] },
    none: { clusterIPs: [`${services}8`], ports: [{ port: 80 }] },
    sticky: { clusterIPs: [`${services}9`], ports: [{ port: 80 }], sessionAffinity: 'ClientIP' },
    // Of the clients that connect, the second pod alone is in a range.
    balanced: { clusterIPs: [`${services}20`], ports: [{ port: 80 }], loadBalancerSourceRanges },
    away: { clusterIPs: [`${services}21`], ports: [{ port: 80 }], loadBalancerSourceRanges },
    datagrams: { clusterIPs: [`${services}a`.replace('.a', '.10')], ports: [{ port: 53, protocol: 'UDP' }] },
  };
  const balanced: Record<string, string> = { balanced: `${balancers}10`, away: `${balancers}11` };
  const sliceOf = (key: string): EndpointSlice => ({
    metadata: {},
    addressType: type,
    ports: [{ port: 8080, protocol: key === 'datagrams' ? 'UDP' : 'TCP' }],
    endpoints: (hosts.get(key) ?? []).map((host) => ({
      addresses: [`${pods}${host}`],
      ...(ending.has(host) && { conditions: { ready: false, serving: true, terminating: true } }),
    })),
  });
  let furtherRanges = [further];
  const tables = ['services-test', 'services-test-next'] as const;
  const names = { family, tables, bridgeName: 'none', foreignBridges: undefined };
  const tableWith = (masqueradesAll: boolean) =>
    new KernelTable({ ...names, serviceCidr: range, masqueradesAll });
  const routerWith = (table: KernelTable) =>
    new ServiceRouter({
      table,
      family,
      place: () => ({
        family,
        nodeName: 'here',
        zone: undefined,
        nodeAddress: undefined,
        isOwn: () => false,
      }),
      isComplete: () => true,
      service: (key) => ({
        metadata: {},
        spec: { clusterIP: specs[key]?.clusterIPs?.[0] ?? '', ...specs[key] },
        status: { loadBalancer: { ingress: key in balanced ? [{ ip: balanced[key] }] : [] } },
      }),
      slices: (key) => [sliceOf(key)],
      furtherRanges: () => furtherRanges,
      clock: hasty,
      logger: silentLogger,
    });
  const router = routerWith(tableWith(false));
  for (const key of Object.keys(specs)) router.mark(key);
  router.markRanges();
  while ((await ask(`${services}7`, 80)).length > 1) await new Promise((resolve) => setTimeout(resolve, 50));
  const address = (key: string) => specs[key]?.clusterIPs?.[0] ?? '';
  const allowed = { localAddress: `${pods}2` };
  // What is lost is waited for in vain.
  const stranger = { localAddress: `${pods}1`, timeoutMs: 300 };
  const unassigned = further.replace(/\d*\/\d+$/, '77');
  const shown = {
    address: await several(address('web'), 80),
    nodePort: await several(node, 30_080),
    withoutEndpoints: await ask(address('none'), 80),
    unknown: await ask(`${services}77`, 80),
    unassigned: await ask(unassigned, 80),
    sticky: (await several(address('sticky'), 80)).length,
    balanced: await several(balanced['balanced']!, 80, allowed),
    strangers: await ask(balanced['balanced']!, 80, stranger),
    strangersInside: await several(address('balanced'), 80, stranger),
    away: `${await ask(balanced['away']!, 80, allowed)} ${await ask(balanced['away']!, 80, stranger)}`,
  };
  const client = createSocket(family === 'ip' ? 'udp4' : 'udp6');
  const told = async () => {
    client.send('who', 53, address('datagrams'));
    const [message] = await once(client, 'message', { signal: AbortSignal.timeout(2_000) });
    return `${message}`;
  };
  const toldOnce = async (...there: number[]) => {
    hosts.set('datagrams', there);
    router.mark('datagrams');
    await new Promise((resolve) => setTimeout(resolve, 200));
    return told();
  };
  const first = await told();
  ending.add(1);
  const ends = await toldOnce(1, 2);
  const moved = await toldOnce(2);
  client.close();
  furtherRanges = [];
  router.markRanges();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const withdrawn = await ask(unassigned, 80, { timeoutMs: 300 });
  execFileSync('/usr/sbin/nft', ['flush', 'ruleset']);
  let flushed = '';
  // Until the rules are there again nobody answers, or the machine itself refuses.
  for (let tries = 0; tries < 100 && flushed.length !== 1; tries++) {
    flushed = await ask(address('web'), 80, { timeoutMs: 100 });
    if (flushed.length !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await router.close();
  // Other rules, as those of another version.
  const other = tableWith(true);
  await other.settle();
  const meanwhile = await several(address('web'), 80);
  const next = routerWith(other);
  for (const key of Object.keys(specs)) next.mark(key);
  const kept = () =>
    `${execFileSync('/usr/sbin/nft', ['list', 'tables', family])}`.match(/services-test\S*/g);
  while (`${kept()}` !== 'services-test') await new Promise((resolve) => setTimeout(resolve, 50));
  const replaced = `${kept()} ${await several(address('web'), 80)}`;
  await next.close();
  return {
    ...shown,
    meanwhile,
    replaced,
    datagrams: `${first}→${ends}→${moved}`,
    withdrawn,
    flushed: flushed.length,
  };
}

console.log(JSON.stringify({ ip: await lead('ip'), ip6: await lead('ip6') }));
process.exit(0);
