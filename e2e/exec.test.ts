import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HashSink, numberedBytes } from './bytes.ts';
import { podOf, TestNode, transports } from './node.ts';
import { stretched } from './slowness.ts';

const mebibyte = 1 << 20;
let node: TestNode;

before(async () => {
  node = await TestNode.start();
  await node.apply(podOf('plain'));
});
after(() => node?.remove());

for (const { name, env, skip } of transports) {
  describe(`exec over ${name}`, { skip }, () => {
    const exec = (words: string[], options = {}) => node.kubectl(['exec', ...words], { ...options, env });
    const inPod = (...command: string[]) => exec(['plain', '--', ...command]);

    test('gives back the exit code of the command', async () => {
      for (const code of [0, 1, 137, 255]) {
        const { code: actual, stderr } = await inPod('sh', '-c', `exit ${code}`);
        assert.equal(actual, code);
        assert.equal(stderr, code === 0 ? '' : `command terminated with exit code ${code}\n`);
      }
    });

    test('keeps stderr apart from stdout', async () => {
      const { stdout, stderr, code } = await inPod('sh', '-c', 'echo out; echo err >&2');
      assert.deepEqual({ stdout, stderr, code }, { stdout: 'out\n', stderr: 'err\n', code: 0 });
    });

    test('a command that does not exist is a failure that names it', async () => {
      const { code, stderr } = await inPod('/no/such/command');
      assert.notEqual(code, 0);
      assert.match(stderr, /\/no\/such\/command/);
    });

    test('ends by itself when stdin ends', async () => {
      const { stdout, code } = await exec(['-i', 'plain', '--', 'cat'], { stdin: 'x\n', timeoutMs: 10_000 });
      assert.deepEqual({ stdout, code }, { stdout: 'x\n', code: 0 });
    });

    test('brings 128 MiB out unharmed', { timeout: stretched(120_000) }, async () => {
      const total = 128 * mebibyte;
      const script = `yes 0123456789abcdef | head -c ${total}`;
      const sink = new HashSink();
      const { code } = await exec(['plain', '--', 'sh', '-c', script], {
        onStdout: sink.take,
        timeoutMs: 110_000,
      });
      const expected = createHash('sha256');
      const lines = Buffer.from('0123456789abcdef\n'.repeat(17 * 1024));
      for (let left = total; left > 0; left -= lines.length) expected.update(lines.subarray(0, left));
      assert.equal(code, 0);
      assert.equal(sink.bytes, total);
      assert.equal(sink.sha256(), expected.digest('hex'));
    });

    for (const [title, sizeMebibytes, script] of [
      ['to a command that answers', 64, 'sha256sum'],
      ['to a command that closed its stdout', 64, 'cat > /tmp/in; sha256sum < /tmp/in >&2'],
      ['to a shell that execs into cat, which has no stdout', 192, 'cat > /tmp/in'],
    ] as const) {
      test(`takes ${sizeMebibytes} MiB in unharmed, ${title}`, { timeout: stretched(120_000) }, async () => {
        const { stream, sha256 } = numberedBytes(sizeMebibytes * mebibyte);
        const words = ['-i', 'plain', '--', 'sh', '-c', script];
        const finished = await exec(words, { stdin: stream, timeoutMs: 110_000 });
        assert.equal(finished.code, 0, finished.stderr);
        const printed = finished.stdout + finished.stderr || (await inPod('sha256sum', '/tmp/in')).stdout;
        assert.equal(printed.split(' ')[0], sha256);
        await inPod('rm', '-f', '/tmp/in');
      });
    }

    test('a terminal has the local size, and resizes reach the process', async () => {
      const atStart = await node.inTerminal('kubectl exec -it plain -- stty size', { env });
      assert.match(atStart.stdout, /24 80/);
      const resize = '(sleep 1.5; stty rows 41 cols 99 < /dev/tty) &';
      const line = `${resize} kubectl exec -it plain -- sh -c 'sleep 3; stty size'`;
      const resized = await node.inTerminal(line, { env });
      assert.match(resized.stdout, /41 99/);
    });

    test('a terminal session gives back the exit code too', async () => {
      const { code } = await node.inTerminal("kubectl exec -it plain -- sh -c 'exit 7'", { env });
      assert.equal(code, 7);
    });

    test('a wrong pod or container is refused by name', async () => {
      const pod = await exec(['nobody', '--', 'true']);
      assert.match(pod.stderr, /pods "nobody" not found/);
      const container = await exec(['plain', '-c', 'other', '--', 'true']);
      assert.match(container.stderr, /container other/);
      assert.deepEqual([pod.code, container.code], [1, 1]);
    });

    test('many sessions at once do not mix', { timeout: stretched(120_000) }, async () => {
      const numbers = Array.from({ length: 20 }, (_, index) => index);
      const all = await Promise.all(
        numbers.map((number) => inPod('sh', '-c', `echo ${number}; exit ${number}`)),
      );
      assert.deepEqual(
        all.map(({ stdout, code }) => [stdout, code]),
        numbers.map((number) => [`${number}\n`, number]),
      );
    });
  });
}

describe('a reader at 1 MiB/s of 32 MiB', { concurrency: true }, () => {
  for (const { name, env, skip } of transports) {
    test(`gets every byte over ${name}, and exit code 0`, { skip, timeout: stretched(90_000) }, async () => {
      const total = 32 * mebibyte;
      let bytes = 0;
      const onStdout = async (chunk: Buffer) => {
        bytes += chunk.length;
        await delay((chunk.length / mebibyte) * 1000);
      };
      const words = ['exec', 'plain', '--', 'head', '-c', String(total), '/dev/zero'];
      const { code } = await node.kubectl(words, { env, onStdout, timeoutMs: 85_000 });
      assert.deepEqual({ code, bytes }, { code: 0, bytes: total });
    });
  }
});
