import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { iterate } from '@wherry/bytes';
import { MonitorError, type OciProcess } from '@wherry/monitor-api';
import type { RemoteCommandStreams } from '@wherry/remotecommand';
import { processOf } from './bundle.ts';
import { Harness, slowness, until } from './harness.ts';
import { connect, hashOf, type Transport, textOf } from './session.ts';
import { streams } from './streams.ts';

const harness = new Harness();
let container = '';

before(async () => {
  await harness.start({ abandonedExecGraceMs: 300 });
  container = (await harness.run(['sleep', '1000'])).id;
});
after(() => harness.stop());

const sync = (args: string[], timeoutMs = 10_000, process: Partial<OciProcess> = {}) =>
  harness.client.call('exec.sync', { containerId: container, process: processOf(args, process), timeoutMs });

async function exec(args: string[], chosen: RemoteCommandStreams, transport: Transport = 'spdy') {
  const process = processOf(args, { terminal: chosen.tty });
  const { url } = await harness.client.call('stream.exec', { containerId: container, process, ...chosen });
  return connect(url, chosen, transport);
}

/** Waits until no process in the container has a command line like `pattern`: what was killed may still be ending. */
async function noneLeft(pattern: string): Promise<void> {
  const count = ['sh', '-c', `cat /proc/[0-9]*/cmdline | grep -c ${pattern} || true`];
  const deadline = performance.now() + 2_000 * slowness;
  while (text((await sync(count)).stdout).trim() !== '0')
    assert.ok(performance.now() < deadline, `a process like ${pattern} is left`);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('execSync tells stdout, stderr and exit code apart, byte for byte', async () => {
  const result = await sync(['sh', '-c', "printf 'a\\000\\377'; printf err >&2; exit 3"]);
  assert.deepEqual(
    { ...result, stdout: text(result.stdout), stderr: text(result.stderr) },
    { exitCode: 3, stdout: 'a\0\xff', stderr: 'err' },
  );
});

test('execSync that takes too long fails with deadline_exceeded, and its process is gone even with a child on the pipe', async () => {
  const command = ['sh', '-c', 'sleep 7777 & sleep 7777'];
  await assert.rejects(sync(command, 300 * slowness), { code: 'DEADLINE_EXCEEDED' });
  await noneLeft('[7]777');
});

test('execSync whose time is over while its process is being started leaves none', async () => {
  const timeouts = Array.from({ length: 12 }, (_, index) => 2 + index * 2);
  for (const timeoutMs of timeouts) {
    await assert.rejects(sync(['sleep', '6666'], timeoutMs), { code: 'DEADLINE_EXCEEDED' });
  }
  await noneLeft('[6]666');
});

test('execSync does not wait for a background child that holds stdout', async () => {
  const before = performance.now();
  const { stdout, exitCode } = await sync(['sh', '-c', 'echo now; sleep 20 & exit 4']);
  assert.equal(text(stdout), 'now\n');
  assert.equal(exitCode, 4);
  assert.ok(performance.now() - before < 2000);
});

test('execSync keeps a little under 16 MiB of 40, and the command runs to its end', async () => {
  const { stdout, exitCode } = await sync(['sh', '-c', 'head -c 41943040 /dev/zero; exit 6']);
  assert.equal(exitCode, 6);
  assert.equal(stdout.byteLength, 16 * 1024 * 1024 - 64 * 1024);
});

test('16 execSync calls at once all answer right, and no descriptor stays open', async () => {
  await sync(['true']);
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const before = descriptors();
  const results = await Promise.all(
    Array.from({ length: 16 }, (_, index) => sync(['sh', '-c', `echo ${index}; exit ${index}`])),
  );
  assert.deepEqual(
    results.map(({ exitCode, stdout }) => `${exitCode} ${text(stdout)}`),
    results.map((_, index) => `${index} ${index}\n`),
  );
  await until(() => descriptors() <= before + 2);
});

test('a missing program fails with the words of the OCI runtime', async () => {
  await assert.rejects(
    sync(['/no/such']),
    (error) =>
      error instanceof MonitorError && error.code === 'UNKNOWN' && /no such file/i.test(error.message),
  );
});

test('exec in a container that does not run is refused before any URL is made', async () => {
  const { id } = await harness.run(['true']);
  await harness.client.call('container.wait', { id });
  await assert.rejects(
    harness.client.call('stream.exec', { containerId: id, process: processOf(['true']), ...streams() }),
    { code: 'FAILED_PRECONDITION' },
  );
});

for (const transport of ['spdy', 'websocket'] as const) {
  suite(`over ${transport}`, () => {
    test('a session carries stdout, stderr and the exit code', async () => {
      const session = await exec(
        ['sh', '-c', 'echo out; echo err >&2; exit 9'],
        streams({ stderr: true }),
        transport,
      );
      const seen = await Promise.all([textOf(session.stdout), textOf(session.stderr), session.exitCode]);
      assert.deepEqual(seen, ['out\n', 'err\n', 9]);
    });

    test('a terminal has the size that the client told, also the first one, and the exit code comes through', async () => {
      const session = await exec(
        ['sh', '-c', 'read x; stty size; exit 4'],
        streams({ stdin: true, tty: true }),
        transport,
      );
      session.resize({ width: 111, height: 33 });
      setTimeout(() => session.stdin?.write(Buffer.from('\n')), 200);
      const [output, exitCode] = await Promise.all([textOf(session.stdout), session.exitCode]);
      assert.match(output, /33 111/);
      assert.equal(exitCode, 4);
    });

    test('64 MiB come out whole', async () => {
      const session = await exec(['head', '-c', String(64 << 20), '/dev/zero'], streams(), transport);
      const { bytes, hash } = await hashOf(session.stdout);
      assert.equal(bytes, 64 << 20);
      assert.equal(
        hash,
        createHash('sha256')
          .update(Buffer.alloc(64 << 20))
          .digest('hex'),
      );
      assert.equal(await session.exitCode, 0);
    });
  });
}

test('a process that has closed its stdout still gets all of its stdin', async () => {
  const session = await exec(
    ['sh', '-c', 'cat > /tmp/stored 2>/dev/null'],
    streams({ stdin: true, stderr: true }),
  );
  const hash = createHash('sha256');
  const output = Promise.all([textOf(session.stdout), textOf(session.stderr)]);
  for (let index = 0; index < 400; index++) {
    const block = Buffer.alloc(65_536, index);
    hash.update(block);
    if (!session.stdin?.write(block)) await session.stdin?.drained();
  }
  session.stdin?.end();
  await output;
  assert.equal(await session.exitCode, 0);
  const { stdout } = await sync(['sha256sum', '/tmp/stored']);
  assert.equal(text(stdout).split(' ')[0], hash.digest('hex'));
});

test('end of input reaches the process while its output goes on', async () => {
  const session = await exec(['sh', '-c', 'cat; echo after'], streams({ stdin: true }));
  session.stdin?.write(Buffer.from('first\n'));
  session.stdin?.end();
  assert.equal(await textOf(session.stdout), 'first\nafter\n');
});

test('a background child that holds stdout delays the exit code only by the drain bound', async () => {
  const before = performance.now();
  const session = await exec(['sh', '-c', 'echo a; sleep 20 & exit 3'], streams());
  assert.deepEqual(await Promise.all([textOf(session.stdout), session.exitCode]), ['a\n', 3]);
  assert.ok(performance.now() - before < 2000);
});

test('the process of a client that vanished gets SIGHUP, and SIGKILL after the grace', async () => {
  const session = await exec(['sh', '-c', "trap '' HUP; echo $$; sleep 8888"], streams());
  const seen = textOf(session.stdout).catch(() => '');
  session.exitCode.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  session.close();
  await seen;
  const isThere = async () =>
    /8888/.test(text((await sync(['sh', '-c', 'cat /proc/[0-9]*/cmdline'])).stdout));
  const deadline = performance.now() + 4000;
  while (await isThere()) assert.ok(performance.now() < deadline, 'the process lives on');
});

test('a client that closes its WebSocket in order has ended the input, and the process goes on', async () => {
  const chosen = { stdin: true, stdout: true, stderr: false, tty: false };
  const script = 'sleep 0.5; cat > /tmp/put; sleep 0.5; echo whole >> /tmp/put';
  const process = processOf(['sh', '-c', script]);
  const { url } = await harness.client.call('stream.exec', { containerId: container, process, ...chosen });
  const socket = new WebSocket(url.replace('http', 'ws'), 'v4.channel.k8s.io');
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  socket.send(Buffer.from('\0words\n'));
  socket.close(1000);
  const deadline = performance.now() + 5000 * slowness;
  const put = async () => text((await sync(['cat', '/tmp/put'])).stdout);
  while ((await put()) !== 'words\nwhole\n') assert.ok(performance.now() < deadline, 'it was not put whole');
});

test('a container killed during a session ends it with a failure', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const { url } = await harness.client.call('stream.exec', {
    containerId: id,
    process: processOf(['sh', '-c', 'echo up; exec sleep 1000']),
    ...streams(),
  });
  const session = await connect(url, streams(), 'spdy');
  const output = iterate(session.stdout ?? assert.fail('no stdout'));
  assert.equal(text((await output.next()).value ?? new Uint8Array()), 'up\n');
  await harness.client.call('container.delete', { id, force: true });
  assert.equal((await output.next()).done, true);
  assert.equal(await session.exitCode, 137);
});
