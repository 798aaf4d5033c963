import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orAborted } from '@wherry/bytes';
import { FakeClock, sleep } from '@wherry/clock';
import { alreadyExists, conflict, type Lease, notFound } from '@wherry/kubeapi';
import { silentLogger } from '@wherry/telemetry';
import { limits } from '../limits.ts';
import { LeaderElection, type LeaderElectionOptions } from './leader-election.ts';

const leases = { group: 'coordination.k8s.io', resource: 'leases' };

/** One lease as an API server keeps it; `isDown` makes each request fail. */
class LeaseServer {
  stored: Lease | undefined;
  isDown = false;
  /** What writes wait for after they were stored. */
  beforeAnswer: (() => Promise<unknown>) | undefined;
  #version = 0;

  readonly client = {
    resource: () => ({
      get: async () => this.#answer(() => this.stored ?? this.#refuse(notFound(leases, 'l'))),
      create: async (lease: Lease, { signal }: { signal?: AbortSignal } = {}) => {
        const made = this.#answer(() =>
          this.stored ? this.#refuse(alreadyExists(leases, 'l')) : this.#store(lease),
        );
        await orAborted(Promise.resolve(this.beforeAnswer?.()), signal);
        return made;
      },
      update: async (lease: Lease, { signal }: { signal?: AbortSignal } = {}) => {
        const updated = this.#answer(() => {
          const isCurrent = lease.metadata?.resourceVersion === this.stored?.metadata?.resourceVersion;
          return isCurrent ? this.#store(lease) : this.#refuse(conflict(leases, 'l', 'changed'));
        });
        await orAborted(Promise.resolve(this.beforeAnswer?.()), signal);
        return updated;
      },
    }),
  } as unknown as LeaderElectionOptions['client'];

  /** Somebody who is no candidate writes something beside. */
  label(value: string): void {
    const { stored } = this;
    if (stored) this.#store({ ...stored, metadata: { ...stored.metadata, labels: { value } } });
  }

  #answer(answer: () => Lease): Lease {
    if (this.isDown) throw new Error('down');
    return structuredClone(answer());
  }

  #refuse(error: Error): never {
    throw error;
  }

  #store(lease: Lease): Lease {
    this.#version += 1;
    this.stored = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.#version) } };
    return this.stored;
  }
}

/** Two candidates on one clock; `leaders` are those who lead now. */
function contest() {
  const clock = new FakeClock();
  const server = new LeaseServer();
  const leaders = new Set<string>();
  const candidate = (identity: string, more: Partial<LeaderElectionOptions> = {}) =>
    new LeaderElection({
      ...{ client: server.client, clock, logger: silentLogger, identity, name: 'l', namespace: 'n' },
      ...more,
      lead: () => {
        leaders.add(identity);
        return { close: async () => void leaders.delete(identity) };
      },
    });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) await clock.advanceAsync(100);
  };
  return { clock, server, leaders, candidate, pass };
}

describe('a leader election', () => {
  it('has one leader, who renews, and the other follows at once when it withdraws', async () => {
    const { server, leaders, candidate, pass } = contest();
    const a = candidate('a');
    await pass(100);
    const b = candidate('b');
    await pass(60_000);
    assert.deepEqual([...leaders], ['a']);
    await a.close();
    assert.equal(server.stored?.spec?.holderIdentity, '');
    await pass(limits.leaseRetryMs + 200);
    assert.deepEqual([...leaders], ['b']);
    assert.equal(server.stored?.spec?.leaseTransitions, 1);
    await b.close();
    assert.equal(leaders.size, 0);
  });

  it('follows a leader that died when its lease has run out, and not before', async () => {
    const { server, leaders, candidate, pass } = contest();
    const spec = {
      holderIdentity: 'dead',
      leaseDurationSeconds: 15,
      renewTime: '2000-01-01T00:00:00.000000Z',
    };
    await server.client.resource({} as never).create({ metadata: { name: 'l' }, spec } as never);
    const b = candidate('b');
    await pass(limits.leaseDurationMs - 200);
    assert.equal(leaders.size, 0);
    await pass(limits.leaseRetryMs + 400);
    assert.deepEqual([...leaders], ['b']);
    await b.close();
  });

  it('waits for nobody who is known to have ended', async () => {
    const { server, leaders, candidate, pass } = contest();
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 15 };
    await server.client.resource({} as never).create({ metadata: { name: 'l' }, spec } as never);
    const b = candidate('b', { hasEnded: (identity) => identity === 'dead' });
    await pass(200);
    assert.deepEqual([...leaders], ['b']);
    await b.close();
  });

  it('stops leading when the lease could not be renewed, before another may begin', async () => {
    const { server, leaders, candidate, pass } = contest();
    const a = candidate('a');
    await pass(100);
    server.isDown = true;
    await pass(limits.leaseRenewDeadlineMs - 2 * limits.leaseRetryMs);
    assert.deepEqual([...leaders], ['a']);
    await pass(3 * limits.leaseRetryMs);
    assert.equal(leaders.size, 0);
    server.isDown = false;
    await pass(2 * limits.leaseRetryMs + 1_000);
    assert.deepEqual([...leaders], ['a']);
    await a.close();
  });

  it('waits for a leader that died as long as its own lease said', async () => {
    const { server, leaders, candidate, pass } = contest();
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 60 };
    await server.client.resource({} as never).create({ metadata: { name: 'l' }, spec } as never);
    const b = candidate('b');
    await pass(60_000 - 200);
    assert.equal(leaders.size, 0);
    await pass(limits.leaseRetryMs + 400);
    assert.deepEqual([...leaders], ['b']);
    await b.close();
  });

  it('takes nothing but a renewal for a sign of life', async () => {
    const { server, leaders, candidate, pass } = contest();
    const spec = { holderIdentity: 'dead', leaseDurationSeconds: 15 };
    await server.client.resource({} as never).create({ metadata: { name: 'l' }, spec } as never);
    const b = candidate('b');
    for (let at = 0; at < 20; at += 1) {
      await pass(1_000);
      server.label(String(at));
    }
    assert.deepEqual([...leaders], ['b']);
    await b.close();
  });

  it('leaves the lease to the next though others have written to it, and though its renewal was cut off', async () => {
    for (const meanwhile of [
      (server: LeaseServer) => server.label('changed'),
      (server: LeaseServer) => {
        server.beforeAnswer = () => new Promise(() => {});
      },
    ]) {
      const { server, leaders, candidate, pass } = contest();
      const a = candidate('a');
      await pass(limits.leaseRetryMs / 2);
      assert.deepEqual([...leaders], ['a']);
      meanwhile(server);
      if (server.beforeAnswer) await pass(limits.leaseRetryMs);
      const closed = a.close();
      await pass(0);
      server.beforeAnswer = undefined;
      await closed;
      assert.equal(server.stored?.spec?.holderIdentity, '');
    }
  });

  it('counts a lease from when it was asked for, since others may have seen it by then', async () => {
    const { clock, server, leaders, candidate, pass } = contest();
    server.beforeAnswer = () => sleep({ clock, delayMs: 9_000 });
    const a = candidate('a');
    await pass(9_000);
    assert.deepEqual([...leaders], ['a']);
    server.isDown = true;
    await pass(limits.leaseDurationMs - 9_000 - 100);
    assert.equal(leaders.size, 0);
    server.beforeAnswer = undefined;
    await a.close();
  });

  it('holds, renews and gives up by terms of its own', async () => {
    const { server, leaders, candidate, pass } = contest();
    const a = candidate('a', { durationMs: 60_000, renewDeadlineMs: 40_000, retryMs: 5_000 });
    await pass(100);
    assert.equal(server.stored?.spec?.leaseDurationSeconds, 60);
    const begun = server.stored;
    await pass(4_000);
    assert.equal(server.stored, begun, 'it renews each 5 s');
    await pass(2_000);
    assert.notEqual(server.stored, begun);
    server.isDown = true;
    await pass(34_000);
    assert.deepEqual([...leaders], ['a']);
    await pass(11_000);
    assert.equal(leaders.size, 0);
    server.isDown = false;
    await a.close();
  });
});
