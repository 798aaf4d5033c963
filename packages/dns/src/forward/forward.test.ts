import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FakeClock, systemClock } from '@wherry/clock';
import { silentLogger } from '@wherry/telemetry';
import { fakeResolver } from '../../test/fake-cluster.ts';
import { limits } from '../limits.ts';
import { type Answer, bareAnswer } from '../wire/answer.ts';
import { recordTypes } from '../wire/codes.ts';
import type { ResourceRecord } from '../wire/record.ts';
import { Forwarder } from './forwarder.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ResolverList, type ResolverSettings } from './resolver-list.ts';

const address = (owner: string, ttl: number, last = 1): ResourceRecord => ({
  ...{ owner, type: recordTypes.A, ttl, data: [Buffer.from([192, 0, 2, last])] },
});
const found = (name: string, ttl = 60, count = 1): Answer => ({
  ...bareAnswer(0),
  answers: Array.from({ length: count }, (_, index) => address(name, ttl, index)),
});
const missing = (minimum: number): Answer => {
  const numbers = Buffer.alloc(20);
  numbers.writeUInt32BE(minimum, 16);
  const soa = { owner: 'example', type: recordTypes.SOA, ttl: 600, data: ['a', 'b', numbers] };
  return { ...bareAnswer(3), authorities: [soa] };
};
const about = (name: string) => ({ name, type: recordTypes.A, flags: 0x100, dnssecOk: false });

/** Lets sockets work while the clock stands still. */
async function until(condition: () => boolean): Promise<void> {
  const endMs = systemClock.monotonicMs() + 5_000;
  while (!condition()) {
    assert.ok(systemClock.monotonicMs() < endMs, 'what was waited for did not come');
    await turn();
  }
}

describe('an answer of another server', () => {
  it('is kept as long as it says, half a minute at most, and loses its age', () => {
    const clock = new FakeClock();
    const kept = new KeptAnswers(clock);
    kept.add('short', found('a', 10));
    kept.add('long', found('b', 9_000));
    kept.add('none', found('c', 0));
    clock.advance(9_000);
    assert.equal(kept.get('short')?.answers[0]?.ttl, 1);
    assert.equal(kept.get('none'), undefined);
    clock.advance(1_000);
    assert.equal(kept.get('short'), undefined);
    clock.advance(19_999);
    assert.equal(kept.get('long')?.answers[0]?.ttl, 9_000 - 29);
    clock.advance(1);
    assert.equal(kept.get('long'), undefined);
    assert.equal(kept.size, 0);
  });

  it('that there is nothing is kept as long as its zone says, and not without a word of that', () => {
    const clock = new FakeClock();
    const kept = new KeptAnswers(clock);
    kept.add('said', missing(3));
    kept.add('unsaid', bareAnswer(3));
    kept.add('failed', bareAnswer(2));
    clock.advance(2_999);
    assert.ok(kept.get('said') && kept.get('failed'));
    assert.equal(kept.get('unsaid'), undefined);
    clock.advance(1);
    assert.equal(kept.get('said'), undefined);
    clock.advance(2_000);
    assert.equal(kept.get('failed'), undefined);
  });

  it('that nobody asked for longest goes when there are too many', () => {
    const kept = new KeptAnswers(new FakeClock());
    for (let index = 0; index < limits.keptAnswersMax; index++) kept.add(`n${index}`, found('a'));
    assert.ok(kept.get('n0'));
    kept.add('one more', found('a'));
    assert.ok(kept.get('n0') && kept.get('one more'));
    assert.equal(kept.get('n1'), undefined);
    assert.equal(kept.size, limits.keptAnswersMax);
  });
});

describe('asking other servers', () => {
  it('asks one that is silent for two seconds, then the next, and the silent one last from then on', async (test) => {
    const clock = new FakeClock();
    const silent = await fakeResolver(test, () => undefined, { address: '127.0.0.2' });
    const good = await fakeResolver(test, ({ name }) => found(name));
    const forwarder = new Forwarder({ clock, resolvers: () => [silent, good] });
    test.after(() => forwarder.close());
    const answer = forwarder.ask(about('one.example'), 'client');
    await until(() => silent.asked.length === 1);
    clock.advance(limits.attemptTimeoutMs);
    assert.equal((await answer).answers.length, 1);
    assert.equal((await forwarder.ask(about('two.example'), 'client')).answers.length, 1);
    assert.deepEqual([silent.asked.length, good.asked.length], [1, 2]);
  });

  it('lets as many clients wait for one answer as may wait at all', async (test) => {
    const good = await fakeResolver(test, ({ name }) => found(name));
    const forwarder = new Forwarder({ clock: systemClock, resolvers: () => [good] });
    const clients = Array.from({ length: limits.forwardedMax + 1 }, (_, index) => `client ${index}`);
    const answers = await Promise.all(
      clients.map((client) => forwarder.ask(about('popular.example'), client)),
    );
    const refused = answers.flatMap(({ code }, index) => (code === 0 ? [] : [`${index}: ${code}`]));
    assert.deepEqual(refused, [`${limits.forwardedMax}: 5`]);
    assert.equal(good.asked.length, 1);
  });

  it('asks the next where one says that it can’t, and passes the failure on where all do', async (test) => {
    const failing = await fakeResolver(test, () => bareAnswer(2));
    const refusing = await fakeResolver(test, () => bareAnswer(5));
    const forwarder = new Forwarder({ clock: systemClock, resolvers: () => [failing, refusing] });
    assert.equal((await forwarder.ask(about('a.example'), 'client')).code, 5);
    assert.deepEqual([failing.asked.length, refusing.asked.length], [1, 1]);
  });

  it('fails at once where nobody listens, and where nobody is known', async (test) => {
    const gone = await fakeResolver(test, () => undefined);
    const forwarder = new Forwarder({ clock: systemClock, resolvers: () => [{ ...gone, port: 1 }] });
    assert.equal((await forwarder.ask(about('a.example'), 'client')).code, 2);
    const alone = new Forwarder({ clock: systemClock, resolvers: () => [] });
    assert.equal((await alone.ask(about('a.example'), 'client')).code, 2);
  });

  it('takes the whole answer over a connection where it does not fit a datagram', async (test) => {
    const resolver = await fakeResolver(test, ({ name }) => found(name, 60, 100));
    const forwarder = new Forwarder({ clock: systemClock, resolvers: () => [resolver] });
    assert.equal((await forwarder.ask(about('big.example'), 'client')).answers.length, 100);
    assert.deepEqual(resolver.asked, ['udp big.example 1', 'tcp big.example 1']);
  });

  it('asks once for all that want the same, and no more than so many for one client', async (test) => {
    const clock = new FakeClock();
    const resolver = await fakeResolver(test, () => undefined);
    const forwarder = new Forwarder({ clock, resolvers: () => [resolver] });
    const same = [1, 2, 3].map(() => forwarder.ask(about('same.example'), 'one'));
    await until(() => resolver.asked.length === 1);
    const many = Array.from({ length: limits.forwardedPerClientMax }, (_, index) =>
      forwarder.ask(about(`n${index}.example`), 'greedy'),
    );
    assert.equal((await forwarder.ask(about('too.much'), 'greedy')).code, 5);
    const modest = forwarder.ask(about('modest.example'), 'modest');
    await until(() => resolver.asked.includes('udp modest.example 1'));
    forwarder.close();
    const codes = await Promise.all([...same, ...many, modest].map(async (each) => (await each).code));
    assert.deepEqual(new Set(codes), new Set([2]));
    assert.equal(resolver.asked.filter((each) => each.includes('same.example')).length, 1);
    assert.equal(clock.pendingTimers, 0);
  });

  it('does not believe an answer to another question', async (test) => {
    const clock = new FakeClock();
    const liar = await fakeResolver(test, (query) => {
      const { name } = query;
      query.id ^= 1;
      return found(name);
    });
    const forwarder = new Forwarder({ clock, resolvers: () => [liar] });
    const answer = forwarder.ask(about('a.example'), 'client');
    await until(() => liar.asked.length === 1);
    await until(() => {
      clock.advance(limits.attemptTimeoutMs);
      return clock.pendingTimers === 0;
    });
    assert.equal((await answer).code, 2);
  });
});

describe('the machine’s resolvers', () => {
  it('are read from resolv.conf, without those that lead back, and again when it changes', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'wherry-dns-'));
    test.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'resolv.conf');
    const clock = new FakeClock();
    const seen: ResolverSettings[] = [];
    const own = ['10.88.0.1'];
    const changed = (settings: ResolverSettings) => void seen.push(settings);
    const list = new ResolverList({ path, own, clock, logger: silentLogger, changed });
    test.after(() => list.close());
    await list.start();
    assert.deepEqual(list.settings.resolvers, []);
    writeFileSync(
      path,
      'nameserver 10.88.0.1\nnameserver 192.0.2.1\nnameserver x\nsearch Corp.example. a..b\n',
    );
    clock.advance(limits.resolvConfPeriodMs);
    await until(() => seen.length === 1);
    assert.deepEqual(seen[0], {
      resolvers: [{ address: '192.0.2.1', port: 53 }],
      searches: ['corp.example'],
    });
  });
});
