import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { eventually, podOf, TestNode, transports } from './node.ts';
import { stretched } from './slowness.ts';
import { talk } from './talk.ts';

/** Answers on 8080 with a page; on 9000 with what it got, once its reader has ended; nothing listens on 9999. */
const server = [
  'mkdir -p /www; head -c 1000000 /dev/zero | tr "\\0" x > /www/big; echo hello > /www/index.html',
  'httpd -p 8080 -h /www',
  'nc -ll -p 9000 -e sha256sum',
].join('; ');

let node: TestNode;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('server', { command: ['sh', '-c', server] }));
  const probe = ['exec', 'server', '--', 'wget', '-q', '-O', '/dev/null', 'http://127.0.0.1:8080/'];
  await eventually('the server to listen', async () => (await node.kubectl(probe)).code === 0);
});
after(() => node?.remove());

interface Forward {
  port(remote: number): number;
  output(): string;
  isRunning(): boolean;
  stop(): void;
}

async function forward(remotes: number[], env: Record<string, string>, pod = 'server'): Promise<Forward> {
  const child = node.startKubectl(
    ['port-forward', `pod/${pod}`, ...remotes.map((remote) => `:${remote}`)],
    env,
  );
  let output = '';
  const ports = new Map<number, number>();
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk;
      for (const match of output.matchAll(/127\.0\.0\.1:(\d+) -> (\d+)/g))
        ports.set(Number(match[2]), Number(match[1]));
      if (remotes.every((remote) => ports.has(remote))) resolve();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', () => reject(new Error(`port-forward ended: ${output}`)));
  });
  return {
    port: (remote) => ports.get(remote) ?? 0,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop: () => child.kill('SIGINT'),
  };
}

const get = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });

for (const { name, env, skip } of transports) {
  describe(`port-forward over ${name}`, { skip }, () => {
    test('100 parallel connections each get their answer', { timeout: stretched(120_000) }, async () => {
      const running = await forward([8080], env);
      const answers = await Promise.all(
        Array.from(
          { length: 100 },
          async () => (await (await get(running.port(8080), '/big')).text()).length,
        ),
      );
      running.stop();
      assert.deepEqual(answers, Array(100).fill(1_000_000));
    });

    test('a half-closed connection still gets its answer', { timeout: stretched(60_000) }, async () => {
      const running = await forward([9000], env);
      const request = Buffer.alloc(5_000_000, 'half-closed ');
      const answer = await talk(running.port(9000), request);
      running.stop();
      assert.equal(answer.split(' ')[0], createHash('sha256').update(request).digest('hex'));
    });

    test('a closed port fails alone and the forward lives on', { timeout: stretched(60_000) }, async () => {
      const running = await forward([8080, 9999], env);
      assert.equal(await talk(running.port(9999), 'hello').catch(() => ''), '');
      const answer = await (await get(running.port(8080), '/index.html')).text();
      const stillRunning = running.isRunning();
      running.stop();
      assert.equal(answer, 'hello\n');
      assert.ok(stillRunning, running.output());
    });

    test('the forward ends with its pod, and says so', { timeout: stretched(60_000) }, async () => {
      const pod = `short-${name.toLowerCase()}`;
      await node.apply(podOf(pod, { command: ['httpd', '-f', '-p', '8080'] }));
      const running = await forward([8080], env, pod);
      await node.kubectlOk(['delete', 'pod', pod]);
      await eventually('the forward to end', () => !running.isRunning(), 10_000);
      assert.match(running.output(), /lost connection to pod/);
    });
  });
}
