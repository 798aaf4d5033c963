/** Leads a service by rules that say where pods and node ports are, in this network namespace, and prints who is led and seen how. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { ServiceRouter } from '../src/service-router.ts';
import { KernelTable } from '../src/table/kernel-table.ts';
import type { LocalTraffic, NodePortAddresses } from '../src/table/places.ts';

const ip = (...words: string[]) => execFileSync('ip', words);
ip('link', 'set', 'lo', 'up');
ip('link', 'add', 'pods', 'type', 'bridge');
for (const host of [1, 2, 9]) ip('addr', 'add', `10.0.0.${host}/24`, 'dev', 'pods');
ip('link', 'set', 'pods', 'up');
for (const range of ['10.96.0.0/16', '192.0.2.0/24']) ip('route', 'add', range, 'dev', 'pods');

const server = createServer((socket) => socket.end(socket.remoteAddress ?? '')).listen(8080, '10.0.0.1');
await once(server, 'listening');

/** What the endpoint saw the client as, or why there is no answer. */
function ask(host: string, port: number, localAddress?: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect({ host, port, timeout: 1_000, localAddress });
  socket.on('data', (data) => resolve(data.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  socket.on('timeout', () => resolve('timeout'));
  return promise.finally(() => socket.destroy());
}

interface Places {
  localTraffic?: LocalTraffic;
  nodePortAddresses?: NodePortAddresses;
  /** The node's own address, as its object has it. */
  nodeAddress?: () => string;
}

/** Runs `look` while the service is led, and gives what it came to. */
async function led<T>(
  { localTraffic, nodePortAddresses, nodeAddress }: Places,
  look: (router: ServiceRouter) => Promise<T>,
): Promise<T> {
  const tables = ['places-test', 'places-test-next'] as const;
  const table = new KernelTable({
    ...{ family: 'ip', tables, bridgeName: 'none', foreignBridges: undefined, masqueradesAll: false },
    ...{ serviceCidr: '10.96.0.0/16', localTraffic, nodePortAddresses },
  });
  const router = new ServiceRouter({
    ...{ table, family: 'ip', clock: systemClock, logger: silentLogger },
    place: () => ({
      ...{ family: 'ip', nodeName: 'here', zone: undefined, nodeAddress: undefined },
      isOwn: () => false,
    }),
    isComplete: () => true,
    service: () => ({
      metadata: {},
      spec: {
        ...{ type: 'NodePort', clusterIP: '10.96.0.7', clusterIPs: ['10.96.0.7'] },
        ...{ externalIPs: ['192.0.2.7'], ports: [{ port: 80, nodePort: 30_080 }] },
      },
    }),
    slices: () => [
      {
        ...{ metadata: {}, addressType: 'IPv4', ports: [{ port: 8080, protocol: 'TCP' }] },
        endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'elsewhere' }],
      },
    ],
    furtherRanges: () => [],
    ...(nodeAddress && { nodeAddresses: () => [nodeAddress()] }),
  });
  router.mark('default/web');
  router.markRanges();
  while (!(await ask('10.96.0.7', 80)).startsWith('10.')) await new Promise((done) => setTimeout(done, 20));
  try {
    return await look(router);
  } finally {
    await router.close();
    execFileSync('/usr/sbin/nft', ['delete', 'table', 'ip', 'places-test']);
  }
}

const sources = async () => [
  await ask('10.96.0.7', 80, '10.0.0.2'),
  await ask('10.96.0.7', 80, '10.0.0.9'),
  await ask('192.0.2.7', 80, '10.0.0.9'),
];
const nodePorts = async () => [
  await ask('10.0.0.9', 30_080),
  await ask('10.0.0.2', 30_080),
  await ask('127.0.0.1', 30_080),
];

let own = '10.0.0.9';
const shown = {
  byInterface: await led({ localTraffic: { interface: 'veth*' } }, sources),
  byRange: await led({ localTraffic: { ranges: ['10.0.0.2/32', 'fd00::/64'] } }, sources),
  byNothing: await led({ localTraffic: { ranges: [] } }, sources),
  everywhere: await led({}, nodePorts),
  ofOtherFamily: await led({ nodePortAddresses: { ranges: ['fd00::/64'] } }, nodePorts),
  withoutLoopback: await led({ nodePortAddresses: { ranges: [], loopback: false } }, nodePorts),
  // One is within another.
  ofRanges: await led({ nodePortAddresses: { ranges: ['10.0.0.0/30', '10.0.0.2/32'] } }, nodePorts),
  primary: await led({ nodePortAddresses: 'primary', nodeAddress: () => own }, async (router) => {
    const before = await nodePorts();
    own = '10.0.0.2';
    router.markRanges();
    while ((await ask('10.0.0.2', 30_080)) === 'ECONNREFUSED')
      await new Promise((done) => setTimeout(done, 20));
    return [...before, ...(await nodePorts())];
  }),
};
console.log(JSON.stringify(shown));
process.exit(0);
