/**
 * An API server that is killed under load, by hand:
 *
 *   node packages/apiserver/test/deaths/survive-kills.ts [KILLS] [WRITES_PER_SECOND] [SEED]
 */
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { randomOf } from '../../../runtime/test/deaths/random.ts';
import { History } from './history.ts';
import { KillableServer } from './killable-server.ts';
import { Watcher } from './watcher.ts';
import { ask, collection, configMap, Writers } from './writers.ts';

const writerCount = 32;
const watcherCount = 3;
/** A server lives this long between two deaths. */
const lifeMs = { least: 200, most: 1_500 };
const catchUpMs = 30_000;

/** How often the server is killed, and beside how many writes. */
export interface KillOptions {
  kills: number;
  writesPerSecond: number;
  seed: number;
}

/** What came of it. */
export interface KillOutcome {
  /** Acknowledged, or found to have happened. */
  writes: number;
  /** Acknowledged, between a server's start and its death; the mean of all lives. */
  writesPerSecond: number;
}

/**
 * Kills an API server again and again under writers and watchers. Throws where an acknowledged write is gone, or a watcher
 * that goes on behind what it was told last misses an event, sees one twice, or in another order than they were written.
 */
export async function surviveKills({ kills, writesPerSecond, seed }: KillOptions): Promise<KillOutcome> {
  const random = randomOf(seed);
  const history = new History();
  const server = await KillableServer.start();
  try {
    const { body } = await ask(server, 'GET', `${collection}?limit=1`);
    const watchers = Array.from(
      { length: watcherCount },
      () => new Watcher(server, body.metadata.resourceVersion),
    );
    const rates: number[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const [before, beganMs] = [history.size, performance.now()];
      const writers = new Writers(writerCount, { server, history, writesPerSecond, random });
      await delay(lifeMs.least + random() * (lifeMs.most - lifeMs.least));
      await server.kill();
      rates.push(((history.size - before) / (performance.now() - beganMs)) * 1_000);
      await server.startAgain();
      await writers.end();
      await expectKept(server, history);
    }
    const last = await ask(server, 'POST', collection, configMap('last', 0));
    const { resourceVersion } = last.body.metadata;
    history.add('last', { type: 'ADDED', number: 0, resourceVersion });
    const deadlineMs = performance.now() + catchUpMs;
    while (watchers.some(({ version }) => version < Number(resourceVersion))) {
      assert.ok(performance.now() < deadlineMs, 'a watcher was not told of the last write');
      await delay(20);
    }
    for (const [at, watcher] of watchers.entries()) {
      await watcher.end();
      history.expectSeen(`watcher ${at}`, watcher.seen);
    }
    return { writes: history.size, writesPerSecond: rates.reduce((sum, rate) => sum + rate, 0) / kills };
  } finally {
    await server.close();
  }
}

/** All that was acknowledged is there, and nothing else. */
async function expectKept(server: KillableServer, history: History): Promise<void> {
  const { body } = await ask(server, 'GET', collection);
  const items: { metadata: { name: string }; data: { number: string } }[] = body.items;
  const found = items.map(({ metadata, data }): [string, number] => [metadata.name, Number(data.number)]);
  assert.deepEqual(new Map(found.sort()), new Map(history.live.sort()));
}

if (import.meta.main) {
  const [kills = 200, writesPerSecond = 1_000, seed = 1] = process.argv.slice(2).map(Number);
  const { writes, writesPerSecond: rate } = await surviveKills({ kills, writesPerSecond, seed });
  console.log(
    `${kills} kills, ${writes} writes, ${rate.toFixed(0)} a second while there was a server: none lost`,
  );
}
