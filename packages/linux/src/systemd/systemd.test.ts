import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { promisify } from 'node:util';
import { FakeClock } from '@wherry/clock';
import { limits } from '../limits.ts';
import { decodeMessage, encodeCall, messageTypes } from './bus-message.ts';
import { BusReader, type BusValue, BusWriter, typesOf } from './bus-values.ts';
import { boundsOfGroup } from './group-bounds.ts';
import { Systemd } from './systemd.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-bus-'));
const socketPath = join(folder, 'private');
let server: Server;
const sockets = new Set<Socket>();
const clock = new FakeClock();
const systemd = new Systemd({ clock, socketPath });
/** What the other side does with a call's name. */
let answer: (member: string, reply: Replies) => void;

interface Replies {
  body: BusValue[];
  serial: number;
  send(...messages: Buffer[]): void;
}

/** A message to the caller, with what the header's fields 3 to 8 say. */
function message(
  type: number,
  { fields, signature, body }: { fields: [number, string, BusValue][]; signature: string; body: BusValue[] },
): Buffer {
  const content = new BusWriter();
  content.writeAll(signature, body);
  const header = new BusWriter();
  for (const byte of [0x6c, type, 0, 1]) header.write('y', byte);
  header.write('u', content.bytes.length);
  header.write('u', 7);
  const all: [number, string, BusValue][] = [
    ...fields,
    ...(signature ? [[8, 'g', signature] as [number, string, BusValue]] : []),
  ];
  header.write(
    'a(yv)',
    all.map(([number, of, value]): BusValue => [number, { signature: of, value }]),
  );
  header.align(8);
  return Buffer.concat([header.bytes, content.bytes]);
}
const reply = (serial: number, signature = '', body: BusValue[] = []) =>
  message(messageTypes.reply, { fields: [[5, 'u', serial]], signature, body });
const refusal = (serial: number, name: string) =>
  message(messageTypes.error, {
    fields: [
      [5, 'u', serial],
      [4, 's', name],
    ],
    signature: 's',
    body: ['no'],
  });
const removed = (job: string, result: string) =>
  message(messageTypes.signal, {
    fields: [
      [1, 'o', '/org/freedesktop/systemd1'],
      [3, 's', 'JobRemoved'],
    ],
    signature: 'uoss',
    body: [1, job, 'a.slice', result],
  });

before(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    let isIn = false;
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (!isIn) {
        // All at once, as systemd wants it.
        const user = Buffer.from(String(process.getuid?.())).toString('hex');
        assert.equal(received.toString('latin1'), `\0AUTH EXTERNAL ${user}\r\nBEGIN\r\n`);
        socket.write('OK 0123456789abcdef0123456789abcdef\r\n');
        received = Buffer.alloc(0);
        isIn = true;
      }
      for (let next = decodeMessage(received); next; next = decodeMessage(received)) {
        const serial = received.readUInt32LE(8);
        const { member = '' } = next.message;
        const body = next.message.readBody();
        received = received.subarray(next.length);
        if (member === 'Subscribe') socket.write(reply(serial));
        else answer(member, { body, serial, send: (...messages) => socket.write(Buffer.concat(messages)) });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
after(async () => {
  systemd.close();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

test('values go and come as D-Bus has them', () => {
  const values: BusValue[] = [
    ...['text', true, 4_294_967_295, 2n ** 64n - 1n],
    ['a', 'b'],
    [
      ['Name', { signature: 'as', value: ['x', ''] }],
      ['Other', { signature: 't', value: 5n }],
    ],
  ];
  const writer = new BusWriter();
  writer.writeAll('sbutasa(sv)', values);
  assert.deepEqual(new BusReader(Buffer.from(writer.bytes)).readAll('sbutasa(sv)'), values);
  assert.deepEqual(typesOf('sa(sv)a{sv}u'), ['s', 'a(sv)', 'a{sv}', 'u']);
  for (const wrong of ['a', '(s', '()', 'a()', 'z']) assert.throws(() => typesOf(wrong), /D-Bus/, wrong);
});

test('a message that says more than it has, or too much, is refused', () => {
  const whole = encodeCall(1, { path: '/a', interface: 'b.c', member: 'D', signature: 's', body: ['text'] });
  assert.equal(decodeMessage(whole.subarray(0, whole.length - 1)), undefined);
  assert.deepEqual(decodeMessage(whole)?.message.readBody(), ['text']);
  const long = Buffer.from(whole);
  long.writeUInt32LE(limits.busMessageBytesMax, 4);
  assert.throws(() => decodeMessage(long), /too long/);
  const lying = Buffer.from(whole);
  lying.writeUInt32LE(1_000, whole.length - 9);
  assert.throws(() => decodeMessage(lying)?.message.readBody(), RangeError);
});

test('a slice is there once its job is done, also where that is told with the answer', async () => {
  const calls: BusValue[][] = [];
  answer = (member, { body, serial, send }) => {
    calls.push([member, ...body]);
    send(reply(serial, 'o', ['/job/1']), removed('/job/0', 'failed'), removed('/job/1', 'done'));
  };
  await systemd.startSlice('a.slice', { MemoryMax: 5, CPUQuotaPerSecUSec: Number.POSITIVE_INFINITY });
  const [[member, name, mode, properties] = []] = calls;
  assert.deepEqual([member, name, mode], ['StartTransientUnit', 'a.slice', 'replace']);
  const given = new Map(properties as [string, BusValue][]);
  assert.deepEqual(given.get('MemoryMax'), { signature: 't', value: 5n });
  assert.deepEqual(given.get('CPUQuotaPerSecUSec'), { signature: 't', value: 2n ** 64n - 1n });
  assert.deepEqual(given.get('DefaultDependencies'), { signature: 'b', value: false });
});

test('one that is there already gets the bounds, and one that is not there is stopped already', async () => {
  const calls: string[] = [];
  answer = (member, { serial, send }) => {
    calls.push(member);
    if (member === 'StartTransientUnit') send(refusal(serial, 'org.freedesktop.systemd1.UnitExists'));
    else if (member === 'StopUnit') send(refusal(serial, 'org.freedesktop.systemd1.NoSuchUnit'));
    else send(reply(serial));
  };
  await systemd.startSlice('a.slice', { TasksMax: 9 });
  await systemd.stop('a.slice');
  assert.deepEqual(calls, ['StartTransientUnit', 'SetUnitProperties', 'StopUnit']);
});

test('a scope is told the bounds that it does not know yet, and no others', async () => {
  const group = join(folder, 'group');
  mkdirSync(group);
  const files = {
    'memory.max': '67108864',
    'memory.swap.max': 'max',
    'cpu.max': '1500 100000',
    'cpu.weight': '100',
    'pids.max': '99',
    'cpuset.cpus': '0-1,9',
    'cpuset.mems': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(group, name), `${text}\n`);
  const bounds = boundsOfGroup(group);
  const unset = 2n ** 64n - 1n;
  const known = new Map<string, [string, BusValue]>([
    ['MemoryMax', ['t', unset]],
    ['MemorySwapMax', ['t', unset]],
    ['CPUQuotaPerSecUSec', ['t', 20_000n]],
    ['CPUQuotaPeriodUSec', ['t', 100_000n]],
    ['CPUWeight', ['t', unset]],
    ['TasksMax', ['t', 4_915n]],
    ['AllowedCPUs', ['ay', [1]]],
  ]);
  const told: BusValue[][] = [];
  answer = (member, { body, serial, send }) => {
    if (member === 'GetUnit') send(reply(serial, 'o', ['/unit/a']));
    else if (member === 'Get') {
      const [signature, value] = known.get(String(body[1])) ?? assert.fail(`asked for ${body[1]}`);
      send(reply(serial, 'v', [{ signature, value }]));
    } else {
      told.push([member, ...body]);
      send(reply(serial));
    }
  };
  await systemd.completeScope('a.scope', bounds);
  assert.equal(told.length, 1);
  const [[member, name, isRuntime, properties] = []] = told;
  assert.deepEqual([member, name, isRuntime], ['SetUnitProperties', 'a.scope', true]);
  assert.deepEqual(properties, [
    ['MemoryMax', { signature: 't', value: 67_108_864n }],
    ['TasksMax', { signature: 't', value: 99n }],
    ['AllowedCPUs', { signature: 'ay', value: [3, 2] }],
  ]);
  known
    .set('MemoryMax', ['t', 67_108_864n])
    .set('TasksMax', ['t', 99n])
    .set('AllowedCPUs', ['ay', [3, 2, 0]]);
  await systemd.completeScope('a.scope', bounds);
  assert.equal(told.length, 1, 'what it knows is not told again');
});

test('a scope that has ended, and a bound that this systemd does not know, are fine', async () => {
  const calls: string[] = [];
  answer = (member, { serial, send }) => {
    calls.push(member);
    if (member === 'GetUnit') send(reply(serial, 'o', ['/unit/a']));
    else send(refusal(serial, 'org.freedesktop.DBus.Error.UnknownProperty'));
  };
  await systemd.completeScope('a.scope', { AllowedCPUs: [1] });
  assert.deepEqual(calls.splice(0), ['GetUnit', 'Get']);
  answer = (member, { serial, send }) => {
    calls.push(member);
    send(refusal(serial, 'org.freedesktop.systemd1.NoSuchUnit'));
  };
  await systemd.completeScope('a.scope', { MemoryMax: 1 });
  assert.deepEqual(calls, ['GetUnit']);
});

test('what fails names the unit: a refusal, a job, a connection that ends, silence', async () => {
  answer = (_, { serial, send }) => send(refusal(serial, 'org.freedesktop.DBus.Error.AccessDenied'));
  await assert.rejects(
    systemd.setBounds('a.slice', { TasksMax: 9 }),
    /systemd: SetUnitProperties of "a.slice": no/,
  );
  answer = (_, { serial, send }) => {
    send(reply(serial, 'o', ['/job/2']));
    setImmediate(() => send(removed('/job/2', 'timeout')));
  };
  await assert.rejects(systemd.stop('a.slice'), /StopUnit of "a.slice" ended with "timeout"/);
  answer = () => {
    for (const socket of sockets) socket.destroy();
  };
  await assert.rejects(systemd.stop('a.slice'), /StopUnit of "a.slice": the connection has ended/);
  answer = () => clock.advance(limits.systemdAnswerMs);
  await assert.rejects(systemd.stop('a.slice'), /"a.slice": no answer within 30000 ms/);
  const nowhere = new Systemd({ clock, socketPath: join(folder, 'nowhere') });
  await assert.rejects(nowhere.stop('a.slice'), /StopUnit of "a.slice": connect ENOENT/);
});

test('a connection that nobody waits for keeps no process alive', async () => {
  answer = (_, { serial, send }) => send(reply(serial));
  const script = `import { Systemd } from ${JSON.stringify(join(import.meta.dirname, 'systemd.ts'))};
import { systemClock } from '@wherry/clock';
await new Systemd({ clock: systemClock, socketPath: ${JSON.stringify(socketPath)} }).setBounds('a.slice', { TasksMax: 1 });
console.log('told');`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '--eval', script],
    {
      cwd: import.meta.dirname,
      timeout: 20_000,
    },
  );
  assert.equal(stdout, 'told\n');
});
