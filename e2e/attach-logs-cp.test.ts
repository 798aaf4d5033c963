import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually, hasBegun, podOf, scriptPod, TestNode, transports } from './node.ts';
import { stretched } from './slowness.ts';

let node: TestNode;
let folder: string;
const sixtyFourMebibytes = 64 << 20;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wherry-cp-'));
  node = await TestNode.start();
  const terminal = { stdin: true, tty: true, command: ['sh'] };
  await node.apply(
    podOf('shell', terminal),
    scriptPod('ticker', 'i=0; while true; do i=$((i+1)); echo "tick $i"; sleep 0.2; done'),
    scriptPod('three', 'echo one; echo two; echo three; sleep 100000'),
  );
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await node?.remove();
});

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const logs = async (...words: string[]) => node.kubectlOk(['logs', ...words]);

for (const { name, env, skip } of transports) {
  describe(`attach over ${name}`, { skip }, () => {
    test('a plain container is heard from now on', async () => {
      const attached = node.startKubectl(['attach', 'ticker'], env);
      let heard = '';
      attached.stdout.on('data', (chunk: Buffer) => {
        heard += chunk;
      });
      await eventually('five lines', () => heard.split('\n').length > 5 && heard);
      attached.kill('SIGINT');
      const numbers = [...heard.matchAll(/tick (\d+)\n/g)].map((match) => Number(match[1]));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => (numbers[0] ?? 0) + index),
      );
    });

    test('a terminal container takes what is typed', async () => {
      const marker = `typed-${name}`;
      const attached = node.startInTerminal('kubectl attach -it shell', env);
      let screen = '';
      attached.stdout.on('data', (chunk: Buffer) => {
        screen += chunk;
      });
      try {
        await eventually('the invitation to type', () => /press(ing)? enter/.test(screen));
        attached.stdin.write(`echo ${marker} | tr a-z A-Z\n`);
        await eventually('the answer', () => screen.includes(marker.toUpperCase()));
      } finally {
        attached.kill();
      }
      assert.equal(
        await node.kubectlOk(['get', 'pod', 'shell', '-o', 'jsonpath={.status.phase}']),
        'Running',
      );
    });

    test('a pod that has ended is refused', async () => {
      await node.kubectlOk([
        'run',
        `ended-${name.toLowerCase()}`,
        '--image',
        'docker.io/library/wherry-test:latest',
        '--image-pull-policy=Never',
        '--restart=Never',
        '--',
        'true',
      ]);
      const pod = `ended-${name.toLowerCase()}`;
      const phase = ['get', 'pod', pod, '-o', 'jsonpath={.status.phase}'];
      await eventually('its end', async () => (await node.kubectlOk(phase)) === 'Succeeded');
      const { stderr, code } = await node.kubectl(['attach', pod], { env });
      assert.match(stderr, /cannot attach a container in a completed pod; current phase is Succeeded/);
      assert.equal(code, 1);
    });
  });

  describe(`cp over ${name}`, { skip }, () => {
    test('64 MiB go in and come back with the same hash', { timeout: stretched(120_000) }, async () => {
      const source = join(folder, `source-${name}`);
      const back = join(folder, `back-${name}`);
      writeFileSync(source, randomBytes(sixtyFourMebibytes));
      await node.kubectlOk(['cp', source, `ticker:/tmp/copy-${name}`], { env, timeoutMs: 60_000 });
      const remote = await node.kubectlOk(['exec', 'ticker', '--', 'sha256sum', `/tmp/copy-${name}`], {
        env,
      });
      assert.equal(remote.split(' ')[0], sha256(source));
      await node.kubectlOk(['cp', `ticker:/tmp/copy-${name}`, back], { env, timeoutMs: 60_000 });
      assert.equal(sha256(back), sha256(source));
    });
  });
}

describe('logs', () => {
  test('the whole log, its tail, and its first bytes', async () => {
    assert.equal(await logs('three'), 'one\ntwo\nthree\n');
    assert.equal(await logs('three', '--tail=2'), 'two\nthree\n');
    assert.equal(await logs('three', '--tail=0'), '');
    assert.equal(await logs('three', '--limit-bytes=5'), 'one\nt');
  });

  test('timestamps are RFC 3339 with nanoseconds, and rise', async () => {
    const stamps = (await logs('ticker', '--timestamps', '--tail=20'))
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
    for (const stamp of stamps)
      assert.match(stamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
    assert.deepEqual(stamps, stamps.toSorted());
  });

  test('--since leaves out what is older', async () => {
    await delay(1500);
    const recent = (await logs('ticker', '--since=1s')).trim().split('\n').length;
    const all = (await logs('ticker')).trim().split('\n').length;
    assert.ok(recent >= 3 && recent <= 12 && recent < all, `${recent} of ${all} lines`);
  });

  test('-f brings each line once, as it is written', async () => {
    const following = node.startKubectl(['logs', '-f', 'ticker', '--tail=1']);
    let seen = '';
    following.stdout.on('data', (chunk: Buffer) => {
      seen += chunk;
    });
    await eventually('ten lines', () => seen.split('\n').length > 10);
    following.kill('SIGINT');
    const numbers = [...seen.matchAll(/tick (\d+)\n/g)].map((match) => Number(match[1]));
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => (numbers[0] ?? 0) + index),
    );
  });

  test('-f ends with the container, after its last line', async () => {
    await node.kubectlOk(['apply', '-f', '-'], {
      stdin: JSON.stringify(scriptPod('short', 'echo begin; sleep 3; echo end', { restartPolicy: 'Never' })),
    });
    // Not by asking for its log: that of a pod without a node is empty, and no failure.
    await hasBegun(node, 'short');
    assert.equal(await node.kubectlOk(['logs', '-f', 'short'], { timeoutMs: 30_000 }), 'begin\nend\n');
  });

  test('--previous shows the instance before the restart', async () => {
    const pod = scriptPod(
      'twice',
      'if [ -e /keep/seen ]; then echo second; sleep 100000; fi; touch /keep/seen; echo first; exit 1',
    );
    const [container] = pod.spec.containers;
    Object.assign(container ?? {}, { volumeMounts: [{ name: 'keep', mountPath: '/keep' }] });
    Object.assign(pod.spec, { volumes: [{ name: 'keep', emptyDir: {} }] });
    await node.kubectlOk(['apply', '-f', '-'], { stdin: JSON.stringify(pod) });
    await eventually(
      'the restart',
      async () => (await node.kubectl(['logs', 'twice'])).stdout === 'second\n',
    );
    assert.equal(await logs('twice', '--previous'), 'first\n');
    const { stderr, code } = await node.kubectl(['logs', 'three', '--previous']);
    assert.match(stderr, /previous terminated container "main" in pod "three" not found/);
    assert.equal(code, 1);
  });
});
