/** Answers of the cluster's DNS beside those of CoreDNS, question by question, on the same objects of the same API server. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createKubeClient,
  Informer,
  type KubeClient,
  type KubeObject,
  kinds,
  type ResourceType,
} from '@wherry/client';
import { type ClusterDns, startClusterDns } from '@wherry/dns';
import { TestServer } from '../../packages/apiserver/test/test-server.ts';
import { recordTypes } from '../../packages/dns/src/wire/codes.ts';
import { readAnswer } from '../../packages/dns/src/wire/message.ts';
import type { ResourceRecord } from '../../packages/dns/src/wire/record.ts';
import { exchangeRaw, question } from '../../packages/dns/test/fake-cluster.ts';
import { buildGoPeer } from '../peers/go-peer.ts';

const corednsPort = 53_053;
let server: TestServer;
let client: KubeClient;
let coredns: ChildProcess;
let ours: ClusterDns;
let port = 0;
const informers: Informer<KubeObject>[] = [];

function follow<T extends KubeObject>(type: ResourceType<T>): Informer<T> {
  const informer = new Informer({ resource: client.resource(type) }).start();
  informers.push(informer as unknown as Informer<KubeObject>);
  return informer;
}

const tcp = { protocol: 'TCP' };
const services: Record<string, object> = {
  web: {
    clusterIP: '10.96.0.7',
    ports: [
      { name: 'http', port: 80 },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ],
  },
  one: { clusterIP: '10.96.0.8', ports: [{ port: 80 }] },
  db: { clusterIP: 'None', ports: [{ name: 'pg', port: 5432 }] },
  empty: { clusterIP: 'None', ports: [{ name: 'pg', port: 5432 }] },
  portless: { clusterIP: 'None' },
  out: { type: 'ExternalName', externalName: 'web.default.svc.cluster.local' },
};
const slices = [
  {
    name: 'db-1',
    service: 'db',
    ports: [{ name: 'pg', port: 5432, ...tcp }],
    endpoints: [
      { addresses: ['10.88.0.4'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.88.0.5'], conditions: {} },
      { addresses: ['10.88.0.6'], hostname: 'db-2', conditions: { ready: false } },
    ],
  },
  {
    name: 'db-2',
    service: 'db',
    ports: [
      { name: 'pg', port: 5432, ...tcp },
      { name: 'more', port: 9, ...tcp },
    ],
    endpoints: [{ addresses: ['10.88.0.9'], hostname: 'db-3' }],
  },
  {
    name: 'web-1',
    service: 'web',
    ports: [{ name: 'http', port: 8080, ...tcp }],
    endpoints: [{ addresses: ['10.88.0.4'] }],
  },
  {
    name: 'portless-1',
    service: 'portless',
    ports: [],
    endpoints: [{ addresses: ['10.88.0.7'], hostname: 'p' }],
  },
];

async function createObjects(): Promise<void> {
  for (const [name, spec] of Object.entries(services))
    await client.resource(kinds.services).create({ metadata: { name, namespace: 'default' }, spec } as never);
  for (const { name, service, ports, endpoints } of slices) {
    const labels = { 'kubernetes.io/service-name': service };
    const slice = { metadata: { name, namespace: 'default', labels }, addressType: 'IPv4', ports, endpoints };
    await client.resource(kinds.endpointSlices).create(slice as never);
  }
}

async function startCoreDns(): Promise<void> {
  const corefile = join(server.folder, 'Corefile');
  writeFileSync(
    corefile,
    `.:${corednsPort} {
  bind 127.0.0.1
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${server.kubeconfig}
    pods insecure
    ttl 5
  }
}
`,
  );
  const binary = await buildGoPeer('corednsjudge');
  coredns = spawn(binary, ['-conf', corefile], { stdio: 'ignore' });
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${corednsPort}`]);
  for (let left = 100; left > 0; left--) {
    const found = await resolver.resolve4('db.default.svc.cluster.local').catch(() => []);
    if (found.length > 0) return;
    await delay(100);
  }
  throw new Error('CoreDNS did not come up');
}

before(async () => {
  server = await TestServer.start();
  client = createKubeClient({ kubeconfig: server.kubeconfig });
  await createObjects();
  await startCoreDns();
  ours = startClusterDns({
    informers: {
      ...{ namespaces: follow(kinds.namespaces), services: follow(kinds.services) },
      ...{ slices: follow(kinds.endpointSlices), pods: follow(kinds.pods) },
    },
    ...{ address: '127.0.0.1', port: 0, resolvers: [], ranges: ['10.96.0.0/16', '10.88.0.0/24'] },
  });
  await Promise.all(informers.map((informer) => informer.synced()));
  ({ port } = await ours.listening);
});
after(async () => {
  coredns?.kill('SIGKILL');
  await ours?.close();
  await Promise.all(informers.map((informer) => informer.close()));
  client?.close();
  await server?.close();
});

const textOf = ({ owner, type, ttl, data }: ResourceRecord): string => {
  const parts = data.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('hex')));
  // Each says when it last saw a change.
  const comparable = type === recordTypes.SOA ? parts.slice(0, 2) : parts;
  return `${owner.toLowerCase()} ${type} ${ttl} ${comparable.join(' ').toLowerCase()}`;
};

async function ask(at: number, name: string, type: number) {
  const packet = await exchangeRaw(at, question(name, type, { edns: 4096 }), 3_000);
  assert.ok(packet, `${name} ${type}: no answer on port ${at}`);
  const { code, authoritative, answers, authorities, additionals } = readAnswer(packet);
  const texts = (records: readonly ResourceRecord[]) => records.map(textOf).sort();
  return {
    ...{ code, authoritative, answers: texts(answers) },
    ...{ authorities: texts(authorities), additionals: texts(additionals) },
  };
}

const inNamespace = [
  ...[
    'web',
    'one',
    'db',
    'empty',
    'portless',
    'out',
    'nope',
    'db-0.db',
    '10-88-0-5.db',
    'db-2.db',
    'db-3.db',
    'p.portless',
  ],
  ...[
    '_http._tcp.web',
    '_dns._udp.web',
    '_dns._tcp.web',
    'http.tcp.web',
    '_pg._tcp.db',
    '_more._tcp.db',
    '_pg._tcp.empty',
  ],
  ...['10-88-0-4.web', 'db-0.web', 'a.b.c.web', '_http._tcp.out', 'x.out'],
].map((name) => `${name}.default.svc`);
const names = [
  ...inNamespace,
  ...[
    '',
    'svc',
    'pod',
    'default',
    'default.svc',
    'nope.svc',
    'web.nope.svc',
    'default.pod',
    '1-2-3-4.default.pod',
  ],
  ...[
    'fd00--1.default.pod',
    'x.default.pod',
    '1-2-3-4.nope.pod',
    'a.1-2-3-4.default.pod',
    'dns-version',
    'x',
    'WeB.default.svc',
  ],
].map((name) => (name === '' ? 'cluster.local' : `${name}.cluster.local`));
const reversed = ['7.0.96.10', '4.0.88.10', '9.0.88.10', '6.0.88.10', '99.0.96.10'].map(
  (name) => `${name}.in-addr.arpa`,
);
const { A, AAAA, CNAME, MX, PTR, SOA, SRV, TXT } = recordTypes;

/** Where CoreDNS does otherwise and we follow the RFCs, with the reason. */
function isMeant(name: string, type: number): string | undefined {
  if (name === 'out.default.svc.cluster.local' && ![A, AAAA, CNAME].includes(type as never))
    return 'an alias stands for every type (RFC 1034 §3.6.2); CoreDNS denies the others';
  if (name === 'out.default.svc.cluster.local' && type === AAAA)
    return 'an alias whose target has no such record is told (RFC 2308 §2.1); CoreDNS leaves it out';
  if (type === TXT && /^(cluster\.local|(svc|pod|default\.svc|default\.pod)\.cluster\.local)$/.test(name))
    return 'a name that is there has no other code for one type (RFC 8020); CoreDNS says NXDOMAIN for TXT';
  if (name.endsWith('.default.pod.cluster.local') && type === SRV)
    return 'a pod has no named port; CoreDNS gives port 0';
  if (name.startsWith('a.1-2-3-4.'))
    return 'the schema has no names below a pod; CoreDNS takes any label there';
  if (name.endsWith('.arpa') && type !== PTR)
    return 'a name that has a PTR record is there for the other types too; CoreDNS says NXDOMAIN';
  if (type === SOA && name !== 'cluster.local')
    return 'a name that is not there is not there for SOA either (RFC 8020); CoreDNS says that it is';
  if (name.startsWith('dns-version') && type !== TXT)
    return 'a name that has a TXT record is there for the other types too; CoreDNS says NXDOMAIN';
  return undefined;
}

for (const [what, all, types] of [
  ['names of the cluster', names, [A, AAAA, CNAME, MX, SRV, TXT, SOA, 65]],
  ['names of addresses', reversed, [PTR, A]],
] as const) {
  test(`${what} are answered as CoreDNS answers them, record by record`, async (test) => {
    const different: unknown[] = [];
    let same = 0;
    for (const name of all) {
      for (const type of types) {
        if (isMeant(name.toLowerCase(), type)) continue;
        const [wanted, got] = await Promise.all([ask(corednsPort, name, type), ask(port, name, type)]);
        try {
          assert.deepEqual(got, wanted);
          same++;
        } catch {
          different.push({ name, type, got, wanted });
        }
      }
    }
    assert.deepEqual(different, []);
    test.diagnostic(`${same} answers are the same`);
  });
}
