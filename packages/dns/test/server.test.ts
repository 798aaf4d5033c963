import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { FakeClock } from '@wherry/clock';
import { limits } from '../src/limits.ts';
import { answerPacket } from '../src/server/answer-packet.ts';
import { type Answer, bareAnswer } from '../src/wire/answer.ts';
import { recordTypes } from '../src/wire/codes.ts';
import { readAnswer } from '../src/wire/message.ts';
import type { Query } from '../src/wire/query.ts';
import { exchangeRaw, FakeCluster, fakeResolver, pod, question, service, slice } from './fake-cluster.ts';
import { Hostility } from './hostility.ts';

/** The resolver that Node has inside, c-ares. */
function resolverFor(port: number): Resolver {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

const answerWith = ({ name, type }: Query, address: readonly number[]): Answer => ({
  ...bareAnswer(0),
  answers: type === recordTypes.A ? [{ owner: name, type, ttl: 60, data: [Buffer.from(address)] }] : [],
});

function clusterWithService(): FakeCluster {
  const cluster = new FakeCluster();
  cluster.services.set(service('web', { clusterIP: '10.96.0.7', ports: [{ name: 'http', port: 80 }] }));
  return cluster;
}

describe('a client of the cluster’s DNS', () => {
  it('finds services, their ports and the names of their addresses, and what changes at once', async (test) => {
    const cluster = clusterWithService();
    const { port } = await cluster.start(test);
    const resolver = resolverFor(port);
    assert.deepEqual(await resolver.resolve4('wEb.default.svc.cluster.local'), ['10.96.0.7']);
    assert.deepEqual(await resolver.reverse('10.96.0.7'), ['web.default.svc.cluster.local']);
    cluster.services.set(service('db', { clusterIP: 'None' }));
    cluster.slices.set(slice('db', [{ addresses: ['10.88.0.4'], hostname: 'db-0' }]));
    const [record] = await resolver.resolveSrv('_http._tcp.db.default.svc.cluster.local');
    assert.deepEqual([record?.name, record?.port], ['db-0.db.default.svc.cluster.local', 8080]);
    await assert.rejects(resolver.resolve4('nope.default.svc.cluster.local'), { code: 'ENOTFOUND' });
    await assert.rejects(resolver.resolve6('web.default.svc.cluster.local'), { code: 'ENODATA' });
  });

  it('gets over a connection what does not fit a datagram', async (test) => {
    const cluster = new FakeCluster();
    cluster.services.set(service('many', { clusterIP: 'None' }));
    const endpoints = Array.from({ length: 100 }, (_, index) => ({ addresses: [`10.88.0.${index}`] }));
    cluster.slices.set(slice('many', endpoints));
    const { port } = await cluster.start(test);
    const cut = await exchangeRaw(port, question('many.default.svc.cluster.local', 1));
    assert.ok(cut && cut.length <= 512 && readAnswer(cut).truncated);
    assert.equal((await resolverFor(port).resolve4('many.default.svc.cluster.local')).length, 100);
  });

  it('that has asked for the last time of a connection gets the answer, also from elsewhere', async (test) => {
    const outside = await fakeResolver(test, (query) => answerWith(query, [192, 0, 2, 3]));
    const { port } = await new FakeCluster().start(test, { resolvers: [outside] });
    const packet = question('www.example.com', 1);
    const socket = connect(port, '127.0.0.1');
    socket.end(Buffer.concat([Buffer.from([0, packet.length]), packet]));
    const received = Buffer.concat(await Array.fromAsync(socket as AsyncIterable<Buffer>));
    assert.ok(received.length > 2, 'the connection ended without an answer');
    assert.deepEqual(readAnswer(received.subarray(2)).answers[0]?.data, [Buffer.from([192, 0, 2, 3])]);
  });

  it('hears of a failure, not of a denial, as long as not all has been listed', async (test) => {
    const cluster = clusterWithService();
    cluster.slices.hasSynced = false;
    const clock = new FakeClock();
    const { port, dns } = await cluster.start(test, { clock });
    await clock.advanceAsync(limits.startPatienceMs);
    const ask = (name: string) => resolverFor(port).resolve4(name);
    assert.deepEqual(await ask('web.default.svc.cluster.local'), ['10.96.0.7']);
    await assert.rejects(ask('later.default.svc.cluster.local'), { code: 'ESERVFAIL' });
    assert.equal(dns.isReady, false);
    cluster.slices.sync();
    assert.equal(dns.isReady, true);
    await assert.rejects(ask('later.default.svc.cluster.local'), { code: 'ENOTFOUND' });
  });

  it('that asks right after a start is answered once all has been listed', async (test) => {
    const cluster = clusterWithService();
    cluster.services.hasSynced = false;
    const { port } = await cluster.start(test);
    const asked = ['later', 'never'].map((name) =>
      resolverFor(port)
        .resolve4(`${name}.default.svc.cluster.local`)
        .catch((error) => error.code),
    );
    await delay(100);
    cluster.services.set(service('later', { clusterIP: '10.96.0.8' }));
    cluster.services.sync();
    assert.deepEqual(await Promise.all(asked), [['10.96.0.8'], 'ENOTFOUND']);
  });

  it('asks one question for its whole search path where it is known, unless it may mean the cluster', async (test) => {
    const cluster = clusterWithService();
    const asked: string[] = [];
    const outside = await fakeResolver(test, (query) => {
      asked.push(query.name);
      return query.name.endsWith('example.com') ? answerWith(query, [192, 0, 2, 1]) : bareAnswer(3);
    });
    const { port, statusPort } = await cluster.start(test, { resolvers: [outside], statusPort: 0 });
    const searched = 'www.example.com.default.svc.cluster.local';
    const codeOf = (name: string) =>
      resolverFor(port)
        .resolve4(name)
        .then(String, ({ code }: { code: string }) => code);
    assert.equal(await codeOf(searched), 'ENOTFOUND');
    cluster.pods.set(pod('other', '127.0.0.1', { containers: [], dnsConfig: { searches: ['a.example'] } }));
    assert.equal(await codeOf(searched), 'ENOTFOUND');
    cluster.pods.set(pod('asker', '127.0.0.1'));
    assert.equal(await codeOf(searched), '192.0.2.1');
    const response = await exchangeRaw(port, question(searched, 1));
    assert.deepEqual(readAnswer(response!).answers[0]?.data, ['www.example.com']);
    assert.equal(await codeOf('web-7.web.default.svc.cluster.local'), 'ENOTFOUND');
    assert.equal(await codeOf('example.default.svc.cluster.local'), 'ENOTFOUND');
    assert.ok(!asked.some((name) => name.startsWith('web-7')), String(asked));
    const metrics = await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
    assert.match(metrics, /coredns_autopath_success_total 2\n/);
    assert.match(metrics, /coredns_dns_responses_total\{rcode="NXDOMAIN"\} \d+\n/);
  });

  it('is led by a service of another name to where that leads outside', async (test) => {
    const cluster = new FakeCluster();
    cluster.services.set(service('out', { type: 'ExternalName', externalName: 'www.example.com' }));
    const outside = await fakeResolver(test, (query) => answerWith(query, [192, 0, 2, 2]));
    const { port } = await cluster.start(test, { resolvers: [outside] });
    assert.deepEqual(await resolverFor(port).resolve4('out.default.svc.cluster.local'), ['192.0.2.2']);
    assert.deepEqual(await resolverFor(port).resolveCname('out.default.svc.cluster.local'), [
      'www.example.com',
    ]);
  });

  it('from outside the cluster is not answered', async (test) => {
    const cluster = clusterWithService();
    const dns = await cluster.start(test, { address: '127.0.0.1' });
    const packet = question('web.default.svc.cluster.local', 1);
    // Loopback's other addresses are no interface's, as a stranger's are not.
    const stranger = await exchangeRaw(dns.port, packet, 200, '127.0.0.99');
    assert.equal(stranger, undefined);
    assert.ok(await exchangeRaw(dns.port, packet));
  });
});

describe('a resolver that leads back', () => {
  it('is found by the first question that comes round, and asked no more', async (test) => {
    const back = { port: 0 };
    const passed: Buffer[] = [];
    const relay = await relayTo(test, back, passed);
    const { port } = await new FakeCluster().start(test, {
      resolvers: [{ address: '127.0.0.1', port: relay }],
    });
    // Whoever starts it probes at once; the relay holds the probe back until it knows where to.
    back.port = port;
    while (passed.length === 0) await delay(5);
    await delay(50);
    passed.length = 0;
    await assert.rejects(resolverFor(port).resolve4('www.example.com'), { code: 'ESERVFAIL' });
    assert.equal(passed.length, 0);
  });
});

/** Passes every datagram on, once it is known where to, and the answer back. */
async function relayTo(test: TestContext, to: { port: number }, passed: Buffer[]): Promise<number> {
  const socket = createSocket('udp4');
  let isOpen = true;
  socket.on('message', async (packet, from) => {
    while (to.port === 0 && isOpen) await delay(5);
    passed.push(packet);
    const response = await exchangeRaw(to.port, packet, 500);
    if (response && isOpen) socket.send(response, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  test.after(() => {
    isOpen = false;
    socket.close();
  });
  return socket.address().port;
}

describe('hostile packets', () => {
  it('end nothing and get no more than a bounded answer, whatever they are', async (test) => {
    const seed = Number(process.env['SEED'] ?? 7);
    const cluster = clusterWithService();
    const { port } = await cluster.start(test);
    const hostility = new Hostility(seed);
    const answers = hostility.answers(cluster);
    for (let count = 0; count < 30_000; count++) {
      const packet = hostility.packet();
      const response = answerPacket(answers, packet, { client: '10.88.0.4', transport: 'udp' });
      if (!(response instanceof Buffer)) continue;
      const told = `seed ${seed}: ${packet.toString('hex')}`;
      assert.ok(response.length <= limits.udpAnswerBytesMax, told);
      assert.equal(response.readUInt16BE(0), packet.readUInt16BE(0), told);
      if (response.readUInt16BE(4) === 1 && !(response.readUInt16BE(2) & 0x200)) readAnswer(response);
    }
    for (let count = 0; count < 200; count++) await exchangeRaw(port, hostility.packet(), 1);
    assert.deepEqual(await resolverFor(port).resolve4('web.default.svc.cluster.local'), ['10.96.0.7']);
  });

  it('over a connection end that connection alone, and silence ends it too', async (test) => {
    const clock = new FakeClock();
    const { port } = await clusterWithService().start(test, { clock });
    const closed = (bytes: Uint8Array) =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
        socket.on('error', () => {});
        socket.once('close', () => resolve());
      });
    await closed(Buffer.from([0, 4, 1, 2, 3, 4]));
    const silent = closed(Buffer.from([0]));
    const whole = question('web.default.svc.cluster.local', 1);
    const socket = connect(port, '127.0.0.1');
    test.after(() => socket.destroy());
    // Byte by byte, and two in one write, as TCP may bring them.
    const two = Buffer.concat([Buffer.from([0, whole.length]), whole, Buffer.from([0, whole.length]), whole]);
    for (const byte of two.subarray(0, 5)) socket.write(Buffer.from([byte]));
    socket.write(two.subarray(5));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      const length = 2 + (received.length >= 2 ? received.readUInt16BE(0) : 0);
      if (received.length >= 2 * length) break;
    }
    clock.advance(limits.connectionIdleMs);
    await silent;
  });
});
