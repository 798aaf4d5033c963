import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeFifo, mount, unmount } from '@wherry/linux';
import { endKeepers } from '../src/index.ts';
import { processOf } from './bundle.ts';
import { Harness, until } from './harness.ts';
import { connect } from './session.ts';
import { streams } from './streams.ts';

const harness = new Harness();
const disk = join(harness.folder, 'disk');
const filler = join(disk, 'filler');

before(async () => {
  mkdirSync(disk);
  mount({ type: 'tmpfs', source: 'tmpfs', target: disk, data: 'size=512k' });
  await harness.start();
});
after(async () => {
  unmount(disk, { detach: true });
  await harness.stop();
});

function fill(path = filler): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
  } finally {
    closeSync(file);
  }
}

/** Runs a script with a stdin that says when to go on, and its log at `logPath`. */
async function run(script: string, logPath: string, at = harness) {
  const request = { ...at.request(['sh', '-c', script], { stdin: true }), logPath };
  const { id } = await at.client.call('container.create', request);
  const chosen = streams({ stdin: true });
  const { url } = await at.client.call('stream.attach', { containerId: id, ...chosen });
  const session = await connect(url, chosen, 'spdy');
  session.stdout?.resume();
  return { id, goOn: () => session.stdin?.write(Buffer.from('\n')) };
}

function logOf(name: string): string {
  mkdirSync(join(disk, 'pod', name), { recursive: true });
  return join(disk, 'pod', name, '0.log');
}

const records = (path: string) => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [, stream, tag, content] = /^\S+Z (stdout|stderr) ([FP]) (.*)$/.exec(line) ?? [];
    assert.ok(stream, `"${line}" is no record`);
    return { stream, tag, content };
  });
};
const lost = async (id: string) => (await harness.client.call('container.status', { id })).lostLogBytes;
const seqBytes = Array.from({ length: 2_000 }, (_, index) => `${index + 1}\n`).join('').length;

test('a full disk stops no container: the log says where bytes are missing, how many, and why', async () => {
  const path = logOf('full');
  const script = 'echo first; read x; seq 1 2000; read x; echo after; exit 3';
  const { id, goOn } = await run(script, path);
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('first'));
  fill();
  goOn();
  for (let tries = 0; (await lost(id)) < seqBytes; tries++) assert.ok(tries < 1_000);
  rmSync(filler);
  goOn();
  const status = await harness.client.call('container.wait', { id });
  assert.equal(status.exitCode, 3);
  assert.equal(status.lostLogBytes, seqBytes);
  assert.ok(status.logWriteErrors > 0);
  assert.equal(status.message, `${seqBytes} bytes of its output could not be written to its log`);
  const [first, notice, last, ...more] = records(path);
  assert.deepEqual(first, { stream: 'stdout', tag: 'F', content: 'first' });
  assert.deepEqual(last, { stream: 'stdout', tag: 'F', content: 'after' });
  assert.deepEqual([notice?.stream, notice?.tag, more.length], ['stderr', 'F', 0]);
  assert.match(
    notice?.content ?? '',
    new RegExp(`^\\[wherry\\] ${seqBytes} bytes of output were lost here: ENOSPC`),
  );
});

test('a loss at the end of a file is told at the head of the next one', async () => {
  const path = logOf('rotated');
  const { id, goOn } = await run('echo first; read x; seq 1 2000; read x; exit 0', path);
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('first'));
  fill();
  goOn();
  for (let tries = 0; (await lost(id)) < seqBytes; tries++) assert.ok(tries < 1_000);
  rmSync(filler);
  renameSync(path, `${path}.1`);
  await harness.client.call('container.reopenLog', { id });
  assert.match(records(path)[0]?.content ?? '', /bytes of output were lost here/);
  goOn();
  await harness.client.call('container.wait', { id });
  assert.equal(records(path).length, 1);
});

test('where there is no room for the monitor itself, commands run, and what ends is told, kept for the next monitor and removed', async () => {
  const other = new Harness();
  mkdirSync(other.dataDir);
  mount({ type: 'tmpfs', source: 'tmpfs', target: other.dataDir, data: 'size=2m,mode=700' });
  await other.start();
  const { client } = other;
  try {
    const { id, goOn } = await run('echo first; read x; exit 3', other.logPath('full'), other);
    fill(join(other.dataDir, 'filler'));
    const look = { containerId: id, process: processOf(['echo', 'inside']), timeoutMs: 0 };
    assert.equal(Buffer.from((await client.call('exec.sync', look)).stdout).toString(), 'inside\n');
    goOn();
    const ended = await client.call('container.wait', { id });
    assert.deepEqual([ended.state, ended.exitCode], ['exited', 3]);
    await other.startAnew();
    const kept = await client.call('container.status', { id });
    assert.deepEqual(kept, ended);
    await client.call('container.delete', { id, force: true });
    assert.deepEqual(readdirSync(join(other.dataDir, 'containers')), []);
  } finally {
    rmSync(join(other.dataDir, 'filler'), { force: true });
    for (const { id } of (await client.call('container.list', {})).containers)
      await client.call('container.delete', { id, force: true });
    endKeepers(other.dataDir);
    unmount(other.dataDir, { detach: true });
    await other.stop();
  }
});

test('a log that could not be made goes on as soon as it can be', async () => {
  const path = logOf('late');
  mkdirSync(join(disk, 'elsewhere'));
  renameSync(join(disk, 'pod', 'late'), join(disk, 'elsewhere', 'late'));
  const { id, goOn } = await run('echo lost; read x; echo there', path);
  for (let tries = 0; (await lost(id)) < 'lost\n'.length; tries++) assert.ok(tries < 1_000);
  renameSync(join(disk, 'elsewhere', 'late'), join(disk, 'pod', 'late'));
  goOn();
  await harness.client.call('container.wait', { id });
  assert.deepEqual(
    records(path).map(({ content }) => content?.replace(/ here: .*/, ' here')),
    ['[wherry] 5 bytes of output were lost here', 'there'],
  );
});

const traps: [string, (path: string, victim: string) => void][] = [
  ['a link', (path, victim) => symlinkSync(victim, path)],
  [
    'in a folder that is a link',
    (path, victim) => {
      rmSync(join(path, '..'), { recursive: true });
      symlinkSync(join(victim, '..'), join(path, '..'));
      rmSync(victim);
      writeFileSync(join(path, '..', '0.log'), 'victim');
    },
  ],
  ['a FIFO', (path) => makeFifo(path)],
];
for (const [which, lay] of traps) {
  test(`a log that a pod has made ${which} is not written, and stops nobody`, async () => {
    const path = logOf(which.replaceAll(' ', '-'));
    const place = join(harness.folder, `victim-${which.replaceAll(' ', '-')}`);
    mkdirSync(place);
    const victim = join(place, '0.log');
    writeFileSync(victim, 'victim');
    lay(path, victim);
    const request = { ...harness.request(['sh', '-c', 'echo taken over; exit 4']), logPath: path };
    const { id } = await harness.client.call('container.create', request);
    const { exitCode, lostLogBytes } = await harness.client.call('container.wait', { id });
    assert.deepEqual([exitCode, lostLogBytes], [4, 'taken over\n'.length]);
    assert.equal(readFileSync(victim, 'utf8'), 'victim');
  });
}
