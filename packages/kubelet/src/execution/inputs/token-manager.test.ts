import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { container, pod } from '../../../test/builders.ts';
import { tokenRetryMs } from '../../limits.ts';
import { TokenManager } from './token-manager.ts';

const of = pod({ containers: [container('a')] });
const { uid } = of.metadata;
const { signal } = new AbortController();

/** Tokens of an API server that may be away. */
function tokens() {
  const clock = new FakeClock({ nowMs: Date.parse('2026-01-01T00:00:00Z') });
  const server = { isAway: false, asked: 0 };
  const client = {
    resource: () => ({
      create: async ({ spec }: { spec: { expirationSeconds: number } }) => {
        server.asked += 1;
        if (server.isAway) throw new Error('connection refused');
        const expirationTimestamp = new Date(clock.nowMs() + spec.expirationSeconds * 1_000).toISOString();
        return { status: { token: `token-${server.asked}`, expirationTimestamp } };
      },
    }),
  } as unknown as KubeClient;
  return { clock, server, manager: new TokenManager({ client, clock }) };
}

const wish = { pod: of, audience: '', expirationSeconds: 1_000, signal };

test('a token that a pod shows is due after 80 % of its life, and a new one then', async () => {
  const { clock, manager } = tokens();
  assert.equal(await manager.token({ ...wish, isShown: true }), 'token-1');
  assert.equal(manager.dueInMs(uid), 800_000);
  clock.advance(800_000);
  assert.equal(await manager.token({ ...wish, isShown: true }), 'token-2');
  assert.equal(manager.dueInMs(uid), 800_000);
});

test('a token is due in time, whichever way the clock is set', async () => {
  const { clock, manager } = tokens();
  await manager.token({ ...wish, isShown: true });
  clock.jumpWallClock(-3_600_000);
  assert.equal(manager.dueInMs(uid), 800_000);
  clock.advance(800_000);
  assert.equal(await manager.token({ ...wish, isShown: true }), 'token-2');
  clock.jumpWallClock(3_600_000);
  assert.equal(await manager.token({ ...wish, isShown: true }), 'token-3');
});

test('a token that can not be replaced is used on, and its pod is looked at from time to time, not without pause', async () => {
  const { clock, server, manager } = tokens();
  await manager.token({ ...wish, isShown: true });
  clock.advance(900_000);
  server.isAway = true;
  assert.equal(await manager.token({ ...wish, isShown: true }), 'token-1');
  assert.equal(manager.dueInMs(uid), tokenRetryMs);
});

test('a token that can not be had says so, and one that ended meanwhile', async () => {
  const { clock, server, manager } = tokens();
  server.isAway = true;
  await assert.rejects(manager.token(wish), /^Error: failed to fetch token: connection refused$/);
  server.isAway = false;
  await manager.token(wish);
  server.isAway = true;
  clock.advance(1_000_000);
  await assert.rejects(
    manager.token(wish),
    /"default\/default" expired and refresh failed: connection refused$/,
  );
});

test('nobody waits for tokens that were given to a plug-in or a driver and are asked for when they are needed', async () => {
  const { clock, manager } = tokens();
  await manager.token({ ...wish, accountUid: 'account-1' });
  await manager.issue({ ...wish, audience: 'vault' });
  clock.advance(2_000_000);
  assert.equal(manager.dueInMs(uid), undefined);
});

test('a token that a driver was given first is due all the same once the pod shows it', async () => {
  const { manager } = tokens();
  await manager.issue(wish);
  assert.equal(manager.dueInMs(uid), undefined);
  await manager.token({ ...wish, isShown: true });
  assert.equal(manager.dueInMs(uid), 800_000);
});
