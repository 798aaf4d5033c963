import assert from 'node:assert/strict';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { declare } from '../native.ts';
import { openPidDescriptor } from '../process/process.ts';
import { ConsoleSocket } from './console-socket.ts';
import {
  closeDescriptor,
  copyDescriptorOf,
  makeFifo,
  openPipe,
  readableBytes,
  readNow,
  setPipeCapacity,
  splice,
  tee,
} from './descriptor.ts';
import { receiveDescriptor, sendDescriptor } from './passed-descriptor.ts';
import { Poller } from './poller.ts';

const folder = mkdtempSync(join(tmpdir(), 'wherry-linux-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function read(descriptor: number): string | null {
  const buffer = Buffer.alloc(1000);
  const bytes = readNow(descriptor, buffer);
  return bytes === null ? null : buffer.toString('utf8', 0, bytes);
}

test('tee leaves the bytes, splice moves them, and an empty pipe says null, an ended one 0', () => {
  const [one, two] = [openPipe({ nonBlocking: true }), openPipe({ nonBlocking: true })];
  writeSync(one.writeDescriptor, 'bytes');
  assert.equal(tee(one.readDescriptor, two.writeDescriptor, 100), 5);
  assert.equal(read(two.readDescriptor), 'bytes');
  assert.equal(readableBytes(one.readDescriptor), 5);
  assert.equal(splice(one.readDescriptor, two.writeDescriptor, 100), 5);
  assert.equal(splice(one.readDescriptor, two.writeDescriptor, 100), null);
  closeDescriptor(one.writeDescriptor);
  assert.equal(splice(one.readDescriptor, two.writeDescriptor, 100), 0);
  assert.equal(read(two.readDescriptor), 'bytes');
  assert.equal(read(two.readDescriptor), null);
  for (const open of [one.readDescriptor, two.readDescriptor, two.writeDescriptor]) closeDescriptor(open);
});

test('a FIFO keeps its bytes while somebody holds it, whoever that is', () => {
  const path = join(folder, 'fifo');
  makeFifo(path);
  assert.throws(() => makeFifo(path), { code: 'EEXIST' });
  const holder = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  assert.equal(setPipeCapacity(writer, 128 * 1024), 128 * 1024);
  writeSync(writer, 'kept');
  closeSync(writer);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  assert.equal(read(reader), 'kept');
  closeSync(reader);
  closeSync(holder);
});

test('a descriptor of another process can be copied, and shares the open file', () => {
  const pipe = openPipe({ nonBlocking: true });
  const self = openPidDescriptor(process.pid);
  const copy = copyDescriptorOf(self, pipe.writeDescriptor);
  closeDescriptor(pipe.writeDescriptor);
  writeSync(copy, 'by the copy');
  assert.equal(read(pipe.readDescriptor), 'by the copy');
  assert.throws(() => copyDescriptorOf(self, 9999), { code: 'EBADF' });
  for (const open of [copy, self, pipe.readDescriptor]) closeDescriptor(open);
});

test('a descriptor passes through a unix socket with its name, and a console socket hands it out', async () => {
  const pair = new Int32Array(2);
  declare('int socketpair(int family, int type, int protocol, _Out_ int *ends)')(1, 1, 0, pair);
  const pipe = openPipe({ nonBlocking: true });
  sendDescriptor(pair[0]!, pipe.writeDescriptor, '/dev/ptmx');
  const passed = receiveDescriptor(pair[1]!);
  assert.equal(passed?.name, '/dev/ptmx');
  writeSync(passed!.descriptor, 'hello');
  assert.equal(read(pipe.readDescriptor), 'hello');
  for (const open of [...pair, passed!.descriptor, pipe.readDescriptor, pipe.writeDescriptor])
    closeDescriptor(open);

  const poller = new Poller();
  const console = new ConsoleSocket(join(folder, 'console.sock'), poller);
  console.close(new Error('nobody came'));
  await assert.rejects(console.terminal, { message: 'nobody came' });
  assert.throws(() => new ConsoleSocket(join(folder, 'x'.repeat(120)), poller), RangeError);
  poller.close();
});

test('a second copy of the library works beside the first', async () => {
  const again = '?again';
  const copy = await import(`./passed-descriptor.ts${again}`);
  assert.notEqual(copy.sendDescriptor, sendDescriptor);
});
