/**
 * Connections on which, from one moment on, nothing passes any more, and nobody is told: as when a machine loses its
 * power or a firewall forgets a connection. Each session that can notice ends in time and says so.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type SessionClient, sessionClients } from './faults/clients.ts';
import type { FaultProxy } from './faults/fault-proxy.ts';
import { FaultyNode, type Hop, hops } from './faults/faulty-node.ts';
import { eventually, scriptPod } from './node.ts';
import { slowness } from './slowness.ts';

/** 61 s of silence, up to 5 s until it is looked at, and the rest for a busy machine. */
const noticeMs = 80_000 * slowness;
/** After so long every ping before the freeze is answered. */
const pingsMs = 6_000;
const port = 9000;

/** Go's SPDY never asks how long a ping has gone unanswered: kubectl over SPDY is left to TCP. */
const noticing = sessionClients.filter(({ name }) => name !== 'kubectl over SPDY');

/** One that kubectl does not notice over either transport: it pings, and never looks. */
const forwarding = sessionClients.filter(({ name }) => name.startsWith('wherry'));

/** What a session is at when it happens. */
const kinds = [
  { kind: 'says nothing', script: 'sleep 1000', hasInput: false },
  { kind: 'writes', script: 'while true; do seq 1 10000; sleep 0.1; done', hasInput: false },
  { kind: 'reads', script: 'cat > /dev/null', hasInput: true },
] as const;

interface Ended {
  code: number | null;
  words: string;
}

describe('connections that go silent', { concurrency: true, timeout: 300_000 }, () => {
  let faulty: FaultyNode;
  const proxies: FaultProxy[] = [];
  const commands = new Map<string, Promise<Ended>>();
  const forwards = new Map<string, Promise<boolean>>();

  before(async () => {
    const server = `nc -ll -p ${port} -e sh -c 'echo ready; sleep 1000'`;
    faulty = await FaultyNode.start('half-open', [scriptPod('server', server)]);
    for (const hop of hops) await freezeSessions(hop);
  });

  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await faulty?.remove();
  });

  /** Starts one session of each kind through a hop, then nothing passes that hop any more. */
  async function freezeSessions(hop: Hop): Promise<void> {
    const { proxy, leave } = await faulty.detour(hop, { kind: 'none' });
    proxies.push(proxy);
    const { promise: frozen, resolve: isFrozen } = Promise.withResolvers<void>();
    const key = (client: SessionClient) => `${hop} ${client.name}`;
    const ready = noticing.flatMap((client) =>
      kinds.map(async ({ kind, script, hasInput }) => {
        const words = ['exec', '-i', 'target', '--', 'sh', '-c', `echo ready; ${script}`];
        const child = client.start(faulty.kubeconfig, words);
        commands.set(`${key(client)} ${kind}`, endOf(child, frozen));
        await once(child.stdout, 'data');
        if (hasInput) feedSlowly(child);
        else child.stdout.resume();
      }),
    );
    const joined = forwarding.map(async (client) => {
      forwards.set(key(client), (await openForward(client, frozen)).isReset);
    });
    await Promise.all([...ready, ...joined]);
    await delay(pingsMs);
    proxy.freeze();
    isFrozen();
    await leave();
  }

  /** Resolves once bytes have come through a forwarded connection; `isReset` tells whether that is reset in time. */
  async function openForward(
    client: SessionClient,
    frozen: Promise<void>,
  ): Promise<{ isReset: Promise<boolean> }> {
    const child = client.start(faulty.kubeconfig, ['port-forward', 'server', `:${port}`]);
    let words = '';
    child.stdout.on('data', (chunk) => (words += chunk));
    const local = await eventually('the forward', () => /127\.0\.0\.1:(\d+) ->/.exec(words)?.[1]);
    const socket = connect({ port: Number(local), host: '127.0.0.1' });
    await once(socket, 'data');
    const isReset = new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(true));
      socket.once('close', () => resolve(false));
      void frozen.then(() => setTimeout(() => socket.destroy(), noticeMs));
    });
    return { isReset: isReset.finally(() => child.kill('SIGKILL')) };
  }

  for (const hop of hops) {
    for (const client of noticing) {
      for (const { kind } of kinds) {
        it(`${hop}: a command of ${client.name} that ${kind} is given up within 80 s, and that is said`, async () => {
          const { code, words } = (await commands.get(`${hop} ${client.name} ${kind}`)) ?? unknown;
          assert.ok(code !== null && code !== 0, `exit code ${code}: ${words}`);
          assert.notEqual(words, '');
        });
      }
    }

    for (const client of forwarding) {
      it(`${hop}: a forwarded connection of ${client.name} is reset within 80 s`, async () => {
        assert.equal(await forwards.get(`${hop} ${client.name}`), true);
      });
    }
  }
});

const unknown: Ended = { code: null, words: 'never started' };

/** Input that does not end. */
function feedSlowly(child: ReturnType<SessionClient['start']>): void {
  const block = Buffer.alloc(64 * 1024, 'input\n');
  const timer = setInterval(() => child.stdin.writableNeedDrain || child.stdin.write(block), 100);
  child.stdin.on('error', () => clearInterval(timer));
  child.once('close', () => clearInterval(timer));
}

/** How a command ended; code null when it had to be killed, so long after nothing passed any more. */
async function endOf(child: ReturnType<SessionClient['start']>, frozen: Promise<void>): Promise<Ended> {
  let words = '';
  child.stderr.on('data', (chunk) => (words += chunk));
  const closed = once(child, 'close');
  await Promise.race([frozen, closed]);
  const timer = setTimeout(() => child.kill('SIGKILL'), noticeMs);
  const [code] = await closed;
  clearTimeout(timer);
  return { code: code as number | null, words };
}
