import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { detectCgroups, foldersAt, processesOf } from '@wherry/linux';
import { processOf } from './bundle.ts';
import { Harness, until } from './harness.ts';
import { connect, textOf } from './session.ts';
import { streams } from './streams.ts';

const harness = new Harness();
before(() => harness.start({ attachPatienceMs: 1_000 }));
after(() => harness.stop());

const wait = (id: string) => harness.client.call('container.wait', { id });

async function attach(id: string, chosen = streams()) {
  const { url } = await harness.client.call('stream.attach', { containerId: id, ...chosen });
  return connect(url, chosen, 'spdy');
}

test('a container runs, logs both outputs and tells its exit code', async () => {
  const { id } = await harness.run(['sh', '-c', 'echo hello; echo oops >&2; exit 7']);
  const status = await wait(id);
  assert.equal(status.exitCode, 7);
  assert.equal(status.reason, 'Error');
  assert.ok(status.finishedAtNs >= status.startedAtNs && status.startedAtNs >= status.createdAtNs);
  assert.deepEqual(
    harness.log(id).sort((a, b) => (a.stream < b.stream ? 1 : -1)),
    [
      { stream: 'stdout', tag: 'F', content: 'hello' },
      { stream: 'stderr', tag: 'F', content: 'oops' },
    ],
  );
});

test('a container runs under a monitor whose service manager waits for word of its own', async (context) => {
  const told = { NOTIFY_SOCKET: '/run/systemd/notify', LISTEN_FDS: '1', LISTEN_PID: `${process.pid}` };
  Object.assign(process.env, told);
  context.after(() => {
    for (const name of Object.keys(told)) delete process.env[name];
  });
  const { id } = await harness.run(['sh', '-c', 'export -p']);
  assert.equal((await wait(id)).exitCode, 0);
  const seen = harness.log(id).map(({ content }) => content);
  assert.ok(!seen.some((line) => /\b(NOTIFY|LISTEN)_/.test(line)), seen.join(' '));
});

test('the folders of a monitor are closed to everyone else, also those that were left open', async () => {
  const { id } = await harness.run(['sleep', '1000']);
  const mode = (path: string) => statSync(join(harness.dataDir, path)).mode & 0o077;
  const names = ['', 'containers', 'oci', 'exec', 'sockets', join('containers', id)];
  assert.deepEqual(
    names.map(mode),
    names.map(() => 0),
  );
  const other = new Harness();
  mkdirSync(other.dataDir, { mode: 0o755 });
  await other.start();
  try {
    assert.equal(statSync(other.dataDir).mode & 0o777, 0o700);
  } finally {
    await other.stop();
  }
});

test('signals end a container with 128 + signal', async () => {
  for (const signal of [9, 15]) {
    const { id } = await harness.run(['sh', '-c', 'trap "exit 143" TERM; sleep 1000 & wait']);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await harness.client.call('container.kill', { id, signal });
    assert.equal((await wait(id)).exitCode, 128 + signal);
  }
});

test('create and start can be two steps, and start works once', async () => {
  const request = { ...harness.request(['sh', '-c', 'echo x; sleep 1000']), start: false };
  const created = await harness.client.call('container.create', request);
  assert.equal(created.state, 'created');
  assert.equal((await harness.client.call('container.start', { id: request.id })).state, 'running');
  await assert.rejects(harness.client.call('container.start', { id: request.id }), {
    code: 'FAILED_PRECONDITION',
  });
  await assert.rejects(harness.client.call('container.create', request), { code: 'ALREADY_EXISTS' });
});

test('a missing program fails the creation with the runtime’s words, and nothing stays behind', async () => {
  const request = harness.request(['/no/such/program']);
  await assert.rejects(harness.client.call('container.create', request), {
    code: 'UNKNOWN',
    message: /no\/such\/program/,
  });
  await assert.rejects(harness.client.call('container.status', { id: request.id }), { code: 'NOT_FOUND' });
  assert.deepEqual(harness.log(request.id), []);
});

test('running out of memory is told as OOMKilled', async () => {
  const { id } = await harness.run(['dd', 'if=/dev/zero', 'of=/dev/null', 'bs=40M'], {
    memoryLimitBytes: 15 * 1024 * 1024,
  });
  const status = await wait(id);
  assert.deepEqual([status.exitCode, status.oomKilled, status.reason], [137, true, 'OOMKilled']);
});

test('a process can open /dev/stdout again, as root and as another user', async () => {
  for (const uid of [0, 1000]) {
    const { id } = await harness.run(
      ['sh', '-c', 'echo direct; echo again > /proc/self/fd/1; echo error > /proc/self/fd/2'],
      {
        process: { user: { uid, gid: uid } },
      },
    );
    await wait(id);
    const contents = harness.log(id).map(({ content }) => content);
    assert.deepEqual(contents.sort(), ['again', 'direct', 'error']);
  }
});

test('a shared PID namespace keeps no leftovers of the container', async () => {
  const { id } = await harness.run(['sh', '-c', 'sleep 5555 & exit 0'], { hostPids: true });
  await wait(id);
  await until(() => processesOf(foldersAt(detectCgroups(), `${harness.cgroup}/${id}`)).length === 0);
});

test('no line is lost or doubled over 20 rotations under load', async () => {
  const count = 300_000;
  const { id } = await harness.run(['sh', '-c', `seq 1 ${count}; sleep 1000`]);
  const rotated: string[] = [];
  for (let index = 0; index < 20; index++) {
    rotated.push(`${harness.logPath(id)}.${index}`);
    renameSync(harness.logPath(id), rotated.at(-1)!);
    await harness.client.call('container.reopenLog', { id });
    readFileSync(harness.logPath(id));
  }
  const all = () => [...rotated, harness.logPath(id)].map((path) => readFileSync(path, 'latin1')).join('');
  await until(() => all().includes(` F ${count}\n`), 20_000);
  const numbers = [...all().matchAll(/ F (\d+)\n/g)].map(([, number]) => Number(number));
  assert.deepEqual([numbers.length, numbers.findIndex((number, index) => number !== index + 1)], [count, -1]);
});

test('two attached clients see new output; one that leaves takes nothing along', async () => {
  const { id } = await harness.run(['cat'], { stdin: true });
  const [one, two] = await Promise.all([attach(id, streams({ stdin: true })), attach(id)]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  one.stdin?.write(Buffer.from('to both\n'));
  await until(() => harness.log(id).length === 1);
  one.close();
  const three = await attach(id, streams({ stdin: true }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  three.stdin?.write(Buffer.from('second\n'));
  await until(() => harness.log(id).length === 2);
  const seen = Promise.all([textOf(two.stdout), textOf(three.stdout)]);
  await harness.client.call('container.kill', { id, signal: 9 });
  assert.deepEqual(await seen, ['to both\nsecond\n', 'second\n']);
});

test('stdinOnce: the process reads the end when the first client is done', async () => {
  const { id } = await harness.run(['sh', '-c', 'cat; exit 5'], { stdin: true, stdinOnce: true });
  const client = await attach(id, streams({ stdin: true }));
  client.stdin?.write(Buffer.from('only line\n'));
  client.stdin?.end();
  assert.match(await textOf(client.stdout), /only line/);
  assert.equal((await wait(id)).exitCode, 5);
});

test('a client that stops reading stalls neither the log nor the others', async () => {
  const { id } = await harness.run(['sh', '-c', 'read x; seq 1 3000000'], { stdin: true });
  const stalled = await attach(id, streams());
  stalled.stdout?.pause();
  const writer = await attach(id, streams({ stdin: true, stdout: true }));
  const seen = textOf(writer.stdout);
  await new Promise((resolve) => setTimeout(resolve, 100));
  writer.stdin?.write(Buffer.from('\n'));
  stalled.exitCode.catch(() => {});
  assert.equal((await wait(id)).exitCode, 0);
  const log = readFileSync(harness.logPath(id), 'latin1');
  assert.equal(log.split('\n').length - 1, 3_000_000);
  stalled.close();
  const numbers = (await seen).split('\n').filter((line) => line !== '');
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-1)], [3_000_000, '1', '3000000']);
});

test('a terminal container takes a client without terminal, but a plain one none with', async () => {
  const { id } = await harness.run(['sh', '-c', 'stty size; read x; echo got $x'], {
    terminal: true,
    stdin: true,
  });
  const client = await attach(id, streams({ stdin: true, stderr: true }));
  await new Promise((resolve) => setTimeout(resolve, 100));
  client.stdin?.write(Buffer.from('word\n'));
  assert.match(await textOf(client.stdout), /got word/);
  const plain = await harness.run(['sleep', '100']);
  await assert.rejects(attach(plain.id, streams({ tty: true })), { code: 'INVALID_ARGUMENT' });
});

/** What the kernel holds a container to, in bytes. */
function memoryLimitOf(id: string): number {
  const layout = detectCgroups();
  const folders = foldersAt(layout, `${harness.cgroup}/${id}`);
  const legacy = folders.controllers.get('memory');
  const path = legacy ? join(legacy, 'memory.limit_in_bytes') : join(folders.unified ?? '', 'memory.max');
  return Number(readFileSync(path, 'utf8'));
}

test('limits change while it runs', async () => {
  const { id } = await harness.run(['sleep', '100'], { memoryLimitBytes: 64 * 1024 * 1024 });
  await harness.client.call('container.update', {
    id,
    resources: { memory: { limit: 32 * 1024 * 1024, swap: -1 } },
  });
  assert.equal(memoryLimitOf(id), 32 * 1024 * 1024);
  await assert.rejects(harness.client.call('container.kill', { id, signal: 99 }), {
    code: 'INVALID_ARGUMENT',
  });
  const { exitCode } = await harness.client.call('exec.sync', {
    containerId: id,
    process: processOf(['true']),
    timeoutMs: 5000,
  });
  assert.equal(exitCode, 0);
});

test('events come in order, and a reader that comes back misses none', async () => {
  const controller = new AbortController();
  const events = harness.client.events({ signal: controller.signal });
  const first = (await events.next()).value;
  assert.equal(first?.kind, 'resync');
  const { id } = await harness.run(['true']);
  await wait(id);
  await harness.client.call('container.delete', { id });
  const seen: string[] = [];
  let last = first?.kind === 'resync' ? first.position : null;
  for (let index = 0; index < 2; index++) {
    const { value } = await events.next();
    if (value?.kind !== 'event') break;
    seen.push(value.event.type);
    last = value.event;
  }
  controller.abort();
  await events.return();
  for await (const message of harness.client.events({ after: last })) {
    if (message.kind === 'event') seen.push(message.event.type);
    if (seen.at(-1) === 'deleted') break;
  }
  assert.deepEqual(seen, ['created', 'started', 'exited', 'deleted']);
});
