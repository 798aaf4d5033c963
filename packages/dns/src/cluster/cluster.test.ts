import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { ServicePort, ServiceSpec } from '@wherry/kubeapi';
import { namespace, service, slice } from '../../test/fake-cluster.ts';
import { recordTypes } from '../wire/codes.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { ClusterIndex } from './cluster-index.ts';
import { ClusterZone } from './cluster-zone.ts';
import { ReverseZone } from './reverse-zone.ts';

const { A, AAAA, AXFR, CNAME, NS, PTR, SOA, SRV, TXT } = recordTypes;
const http: ServicePort[] = [{ name: 'http', port: 80, protocol: 'TCP' }];
const cluster = (ip: string): ServiceSpec => ({
  ...{ type: 'ClusterIP', clusterIP: ip, clusterIPs: [ip], ports: http },
});
const headless = cluster('None');

let index: ClusterIndex;
let zone: ClusterZone;
let reverse: ReverseZone;
beforeEach(() => {
  index = new ClusterIndex();
  const shared = { index, domain: 'cluster.local', serial: () => 7 };
  zone = new ClusterZone({ ...shared, address: Buffer.from([10, 96, 0, 10]) });
  reverse = new ReverseZone({ ...shared, ranges: ['10.96.0.0/16', 'fd00:10:96::/112'] });
  index.namespaces.added?.(namespace('default'));
});

function textOf({ type, data }: ResourceRecord): string {
  const parts = data.map((part) => {
    if (typeof part === 'string') return part;
    if (type === A) return part.join('.');
    if (type === SRV) return `${Buffer.from(part).readUInt16BE(2)} ${Buffer.from(part).readUInt16BE(4)}`;
    return Buffer.from(part).toString('hex');
  });
  return parts.join(' ');
}

/** `NXDOMAIN`, or what the records say. */
function ask(name: string, type: number): string | string[] {
  const isReverse = name.endsWith('.arpa');
  const answer = isReverse ? reverse.answer(name, type) : zone.answer(`${name}.cluster.local`, type);
  if (!answer) return 'somebody else';
  const negative = answer.authorities.some((record) => record.type === SOA);
  if (answer.code === 3) return negative ? 'NXDOMAIN' : 'NXDOMAIN without SOA';
  if (answer.code !== 0) return `code ${answer.code}`;
  if (answer.answers.length === 0) return negative ? 'NODATA' : 'NODATA without SOA';
  return answer.answers.map(textOf).sort();
}

describe('names of services', () => {
  it('with a cluster address lead to it, and each named port to its number', () => {
    index.services.added?.(service('web', cluster('10.96.0.7')));
    assert.deepEqual(ask('web.default.svc', A), ['10.96.0.7']);
    assert.equal(ask('web.default.svc', AAAA), 'NODATA');
    assert.equal(ask('web.default.svc', TXT), 'NODATA');
    assert.deepEqual(ask('_http._tcp.web.default.svc', SRV), ['100 80 web.default.svc.cluster.local']);
    assert.equal(ask('_https._tcp.web.default.svc', SRV), 'NXDOMAIN');
    assert.equal(ask('_http._udp.web.default.svc', SRV), 'NXDOMAIN');
    assert.equal(ask('too.long.a.web.default.svc', A), 'NXDOMAIN');
  });

  it('without one lead to the endpoints that are ready, by hostname, or by address where there is none', () => {
    index.slices.added?.(
      slice('db', [
        { addresses: ['10.88.0.4'], hostname: 'db-0' },
        { addresses: ['10.88.0.5'], conditions: { ready: true } },
        { addresses: ['10.88.0.6'], hostname: 'db-2', conditions: { ready: false } },
      ]),
    );
    assert.equal(ask('db.default.svc', A), 'NXDOMAIN');
    index.services.added?.(service('db', headless));
    assert.deepEqual(ask('db.default.svc', A), ['10.88.0.4', '10.88.0.5']);
    assert.deepEqual(ask('db-0.db.default.svc', A), ['10.88.0.4']);
    assert.deepEqual(ask('10-88-0-5.db.default.svc', A), ['10.88.0.5']);
    assert.equal(ask('db-2.db.default.svc', A), 'NXDOMAIN');
    assert.deepEqual(ask('_http._tcp.db.default.svc', SRV), [
      '50 8080 10-88-0-5.db.default.svc.cluster.local',
      '50 8080 db-0.db.default.svc.cluster.local',
    ]);
  });

  it('follow each change of slices at once, whichever comes first', () => {
    const one = slice('db', [{ addresses: ['10.88.0.4'], hostname: 'db-0' }]);
    const other = slice('db', [{ addresses: ['10.88.0.9'], hostname: 'db-0' }]);
    index.services.added?.(service('db', headless));
    index.slices.added?.(one);
    assert.deepEqual(ask('db-0.db.default.svc', A), ['10.88.0.4']);
    index.slices.updated?.(other, one);
    assert.deepEqual(ask('db-0.db.default.svc', A), ['10.88.0.9']);
    assert.equal(ask('4.0.88.10.in-addr.arpa', PTR), 'somebody else');
    index.slices.deleted?.(other);
    assert.equal(ask('db.default.svc', A), 'NXDOMAIN');
    index.services.deleted?.(service('db', headless));
    assert.equal(ask('9.0.88.10.in-addr.arpa', PTR), 'somebody else');
  });

  it('that stand for another name are aliases, followed inside the cluster and told outside', () => {
    index.services.added?.(service('web', cluster('10.96.0.7')));
    index.services.added?.(
      service('inside', { type: 'ExternalName', externalName: 'Web.default.svc.cluster.local.' }),
    );
    index.services.added?.(service('outside', { type: 'ExternalName', externalName: 'www.example.com' }));
    assert.deepEqual(ask('inside.default.svc', A), ['10.96.0.7', 'web.default.svc.cluster.local']);
    assert.deepEqual(ask('inside.default.svc', CNAME), ['web.default.svc.cluster.local']);
    assert.equal(zone.answer('outside.default.svc.cluster.local', A)?.continuesAt, 'www.example.com');
    assert.equal(ask('_http._tcp.outside.default.svc', SRV), 'NXDOMAIN');
  });

  it('that stand for each other in a circle are a failure, not an endless answer', () => {
    for (const [one, other] of ['ab', 'ba'])
      index.services.added?.(
        service(one!, { type: 'ExternalName', externalName: `${other}.default.svc.cluster.local` }),
      );
    assert.equal(ask('a.default.svc', A), 'code 2');
  });

  it('begin with another address each time', () => {
    index.services.added?.(service('db', headless));
    index.slices.added?.(slice('db', [{ addresses: ['10.88.0.4'] }, { addresses: ['10.88.0.5'] }]));
    const first = () => textOf(zone.answer('db.default.svc.cluster.local', A)!.answers[0]!);
    assert.deepEqual([first(), first()].sort(), ['10.88.0.4', '10.88.0.5']);
  });

  it('are no properties of objects', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.equal(ask(`${name}.default.svc`, A), 'NXDOMAIN');
  });
});

describe('the rest of the zone', () => {
  it('exists without data where only names below it have some, and does not exist elsewhere', () => {
    assert.equal(zone.answer('cluster.local', A)?.code, 0);
    for (const name of ['svc', 'pod', 'default.svc', 'default.pod'])
      assert.equal(ask(name, A), 'NODATA', name);
    for (const name of ['nope.svc', 'x.nope.svc', 'default', 'a.b.default.pod', 'x.default.pod'])
      assert.equal(ask(name, A), 'NXDOMAIN', name);
  });

  it('says the address that a pod’s name spells, in namespaces that are there', () => {
    assert.deepEqual(ask('10-88-0-4.default.pod', A), ['10.88.0.4']);
    assert.equal(ask('10-88-0-4.default.pod', AAAA), 'NODATA');
    assert.deepEqual(ask('fd00--1.default.pod', AAAA), ['fd000000000000000000000000000001']);
    assert.equal(ask('10-88-0-4.nope.pod', A), 'NXDOMAIN');
    assert.equal(ask('10-88-0-444.default.pod', A), 'NXDOMAIN');
  });

  it('has its own records', () => {
    assert.deepEqual(ask('dns-version', TXT), ['05312e312e30']);
    assert.deepEqual(ask('ns.dns', A), ['10.96.0.10']);
    const records = (type: number) => zone.answer('cluster.local', type)?.answers.map(textOf);
    assert.deepEqual(records(NS), ['ns.dns.cluster.local']);
    assert.match(
      records(SOA)?.[0] ?? '',
      /^ns.dns.cluster.local hostmaster.cluster.local 00000007.*00000005$/,
    );
    assert.equal(zone.answer('cluster.local', AXFR)?.code, 5);
  });
});

describe('names of addresses', () => {
  it('are the service of a cluster address, else all endpoints that have it', () => {
    index.services.added?.(service('web', cluster('10.96.0.7')));
    index.slices.added?.(slice('web', [{ addresses: ['10.88.0.4'] }]));
    index.slices.added?.(slice('db', [{ addresses: ['10.88.0.4'], hostname: 'db-0' }]));
    assert.deepEqual(ask('7.0.96.10.in-addr.arpa', PTR), ['web.default.svc.cluster.local']);
    assert.equal(ask('7.0.96.10.in-addr.arpa', A), 'NODATA');
    assert.deepEqual(ask('4.0.88.10.in-addr.arpa', PTR), [
      '10-88-0-4.web.default.svc.cluster.local',
      'db-0.db.default.svc.cluster.local',
    ]);
  });

  it('are nobody else’s in the cluster’s ranges, and somebody else’s beyond', () => {
    assert.equal(ask('9.9.96.10.in-addr.arpa', PTR), 'NXDOMAIN');
    for (const name of [
      '8.8.8.8.in-addr.arpa',
      '1.in-addr.arpa',
      '300.0.96.10.in-addr.arpa',
      '0.96.10.in-addr.arpa',
    ])
      assert.equal(ask(name, PTR), 'somebody else', name);
  });

  it('of IPv6 are found by their digits', () => {
    const clusterIPs = ['10.96.0.8', 'fd00:10:96::8'];
    index.services.added?.(service('both', { ...cluster('10.96.0.8'), clusterIPs }));
    assert.deepEqual(ask('both.default.svc', A), ['10.96.0.8']);
    assert.deepEqual(ask('both.default.svc', AAAA), ['fd000010009600000000000000000008']);
    const reversed = 'fd000010009600000000000000000008'.split('').reverse().join('.');
    assert.deepEqual(ask(`${reversed}.ip6.arpa`, PTR), ['both.default.svc.cluster.local']);
    assert.equal(ask(`${reversed.replace('8', '9')}.ip6.arpa`, PTR), 'NXDOMAIN');
    index.slices.added?.(
      slice('six', [{ addresses: ['fd00:0:0::1'], hostname: 'a' }], { addressType: 'IPv6' }),
    );
    const digits = 'fd000000000000000000000000000001'.split('').reverse().join('.');
    assert.deepEqual(ask(`${digits}.ip6.arpa`, PTR), ['a.six.default.svc.cluster.local']);
  });
});

describe('a service with thousands of ports and hundreds of pods', () => {
  const ports = Array.from({ length: 20_000 }, (_, at) => ({
    name: `p${at}`,
    port: 80,
    protocol: 'TCP' as const,
  }));
  beforeEach(() => {
    index.services.added?.(service('wide', { ...headless, ports: [...ports] }));
    const addresses = Array.from({ length: 250 }, (_, host) => `10.0.0.${host}`);
    const endpoints = addresses.map((address) => ({ addresses: [address] }));
    index.slices.added?.(slice('wide', endpoints, { ports: [...ports] }));
  });

  it('is answered for in a time that goes by the one and the other, not by one times the other', () => {
    const began = performance.now();
    for (let count = 0; count < 20; count++) assert.equal(ask('wide.default.svc', A).length, 250);
    assert.equal(ask('_p7._tcp.wide.default.svc', SRV).length, 250);
    assert.ok(ask('wide.default.svc', SRV).length <= 4_096, 'no more than an answer holds');
    const tookMs = performance.now() - began;
    assert.ok(tookMs < 2_000, `${tookMs} ms for 22 questions; five million pairs take seconds for each`);
  });
});
