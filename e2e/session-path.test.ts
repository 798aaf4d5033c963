/** Every hop of a session, live: what passes, what waits where, and how it ends, under one id. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MonitorClient } from '@wherry/monitor-api';
import { layoutOf } from '@wherry/node';
import type { Session, SessionList } from '@wherry/telemetry';
import { eventually, podOf, TestNode, transports } from './node.ts';

const name = 'session-path';
const server = 'mkdir -p /www; head -c 1000000 /dev/zero > /www/big; httpd -f -p 8080 -h /www';
const viaNode = `/api/v1/nodes/${name}/proxy/debug/sessions`;

let node: TestNode;
let monitor: MonitorClient;

before(async () => {
  node = await TestNode.start(name);
  monitor = new MonitorClient({ socketPath: layoutOf(node.dataDir).monitorSocket });
  await node.apply(
    podOf('target'),
    podOf('cat', { command: ['cat'], stdin: true }),
    podOf('server', { command: ['sh', '-c', server] }),
  );
});
after(async () => {
  await monitor?.close();
  await node?.remove();
});

const listOf = async (path: string): Promise<SessionList> =>
  JSON.parse(await node.kubectlOk(['get', '--raw', path]));

/** One session at the API server, the kubelet and the streaming server. */
type Hops = readonly [Session, Session, Session];

/** The newest session of a pod that `holds`, at all three hops. */
function seen(pod: string, what: string, holds: (hops: Hops) => boolean): Promise<Hops> {
  return eventually(what, async () => {
    const [first, second, third] = await Promise.all([
      listOf('/debug/sessions'),
      listOf(viaNode),
      monitor.call('session.list', {}),
    ]);
    for (const session of first.items.filter((item) => item.pod === pod).reverse()) {
      const { id } = session;
      const same = ({ items }: SessionList) => items.find((item) => item.id === id);
      const hops = [session, same(second), same(third)] as const;
      if (hops[1] && hops[2] && holds(hops as unknown as Hops)) return hops as unknown as Hops;
    }
    return undefined;
  });
}

const down = ({ streams }: Session, stream: string) => streams.find((each) => each.name === stream)?.down;
const up = ({ streams }: Session, stream: string) => streams.find((each) => each.name === stream)?.up;
const outputOf = (session: Session) => down(session, 'stdout') ?? down(session, 'connection');
const isEnded = (hops: Hops) => hops.every(({ state }) => state === 'ended');

for (const { name: transport, env, skip } of transports) {
  describe(`over ${transport}`, { skip }, () => {
    test('an exec has one id at all hops, its bytes are counted, and its end tells the exit code', async () => {
      const script = `head -c 300000 /dev/zero; cat >/dev/null; exit 7 # ${transport}`;
      const words = ['exec', '-i', 'target', '--', 'sh', '-c', script];
      const { code } = await node.kubectl(words, { env, stdin: 'x'.repeat(1_000) });
      assert.equal(code, 7);
      const isThis = ([{ command }]: Hops) => command?.at(-1) === script;
      const hops = await seen('target', 'the ended exec', (found) => isThis(found) && isEnded(found));
      const [first, second, third] = hops;
      assert.deepEqual([first.kind, first.container, first.node], ['exec', 'main', name]);
      assert.deepEqual(
        hops.map(({ command }) => command?.join(' ')),
        hops.map(() => `sh -c ${script}`),
      );
      assert.equal(down(third, 'stdout')?.bytes, 300_000);
      assert.equal(up(third, 'stdin')?.bytes, 1_000);
      assert.deepEqual([third.end?.reason, third.end?.exitCode, third.end?.by], ['exited', 7, 'process']);
      assert.ok((down(first, 'connection')?.bytes ?? 0) > 300_000, 'with the framing');
      if (transport === 'WebSocket') {
        assert.deepEqual([down(second, 'stdout')?.bytes, second.end?.exitCode], [300_000, 7]);
        assert.equal(first.client.protocol, 'WebSocket v5.channel.k8s.io');
      } else assert.ok((down(second, 'connection')?.bytes ?? 0) > 300_000);
      assert.equal(third.client.protocol, 'SPDY/3.1 v4.channel.k8s.io');
      assert.ok(first.user && second.user);
    });

    test('a reader that reads no more is seen where it stands: every hop waits for its client', async () => {
      const child = node.startKubectl(['exec', 'target', '--', 'cat', '/dev/zero'], env);
      child.stdout.pause();
      const hops = await seen(
        'target',
        'all hops to wait',
        (each) => !isEnded(each) && each.every((session) => outputOf(session)?.waitsFor === 'client'),
      );
      assert.ok(hops.every((session) => outputOf(session)?.waitingSince));
      child.kill('SIGKILL');
      const [{ id }] = hops;
      const [, , last] = await seen('target', 'its end', (each) => each[0].id === id && isEnded(each));
      assert.equal(last.end?.by, 'client');
    });

    test('a process that reads no more is waited for at the streaming server', async () => {
      const child = node.startKubectl(['exec', '-i', 'target', '--', 'sleep', '1000'], env);
      child.stdin.on('error', () => {});
      child.stdin.write(Buffer.alloc(8 * 1024 * 1024));
      await seen('target', 'the process to be waited for', ([, , session]) => {
        return session.state === 'open' && up(session, 'stdin')?.waitsFor === 'process';
      });
      child.kill('SIGKILL');
      await seen('target', 'its end', isEnded);
    });

    test('an attached client is seen at all hops', async () => {
      const child = node.startKubectl(['attach', '-i', 'cat'], env);
      child.stdin.write('hello\n');
      const [first] = await seen('cat', 'what was echoed', ([, , session]) => {
        return session.kind === 'attach' && down(session, 'stdout')?.bytes === 6;
      });
      assert.equal(first.kind, 'attach');
      child.kill('SIGKILL');
      await seen('cat', 'its end', isEnded);
    });

    test('a forwarded port has its connections and their bytes', async () => {
      const child = node.startKubectl(['port-forward', 'pod/server', ':8080'], env);
      const port = await new Promise<string>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          const found = /127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
          if (found) resolve(found);
        });
      });
      const answer = await fetch(`http://127.0.0.1:${port}/big`, { headers: { connection: 'close' } });
      assert.equal((await answer.arrayBuffer()).byteLength, 1_000_000);
      const [first, second] = await seen('server', 'the connection', ([, , session]) => {
        const [stream] = session.streams;
        return stream?.port === 8080 && stream.connections?.total === 1 && stream.connections.open === 0;
      });
      for (const hop of [first, second]) assert.ok((down(hop, 'connection')?.bytes ?? 0) > 1_000_000);
      child.kill('SIGINT');
      const ended = await seen('server', 'its end', isEnded);
      assert.equal(ended[2].end?.reason, 'closed');
    });
  });
}

test('who may not read /debug/sessions is refused at the API server and at the kubelet', async () => {
  for (const path of ['/debug/sessions', '/debug/sessions?watch=1', viaNode]) {
    const { code, stderr } = await node.kubectl(['get', '--raw', path, '--as', 'nobody']);
    assert.equal(code, 1);
    assert.match(stderr, /Forbidden|forbidden/, path);
  }
});

test('a watch tells of a session as it comes and goes', async () => {
  const child = node.startKubectl(['get', '--raw', '/debug/sessions?watch=1']);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await eventually('the watch to begin', () => text.includes('\n'));
  await node.kubectlOk(['exec', 'target', '--', 'true']);
  const events = () =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  await eventually('both events', () => {
    const added = events().find(({ type, object }) => type === 'ADDED' && object.command?.[0] === 'true');
    return added && events().some(({ type, object }) => type === 'ENDED' && object.id === added.object.id);
  });
  child.kill('SIGKILL');
});
