/** System calls of pipes, counters and what waits for them, over the simulated machine. */
import { constants } from 'node:fs';
import { accessBits, OpenFile } from './descriptors.ts';
import { failure } from './failure.ts';
import { changing, descriptorOf, find, nowMs } from './lookup.ts';
import { currentParticipant, isDead } from './participant.ts';
import { Fifo } from './pipe.ts';
import { EventCounter, type Found, PollSet } from './poll.ts';

const commands = { getFlags: 3, setFlags: 4, duplicate: 1030, setPipeSize: 1031 } as const;
const requests = { waitingBytes: 0x541b } as const;
const epollDataOffset = process.arch === 'x64' ? 4 : 8;
const epollEventBytes = epollDataOffset + 8;

function add(node: Fifo | EventCounter | PollSet, path: string, flags: number): number {
  return currentParticipant().descriptors.add(new OpenFile({ node, path, flags }));
}

function pipeAt(descriptor: number, call: string): Fifo {
  const { node, path } = descriptorOf(descriptor, call);
  if (!(node instanceof Fifo)) throw failure('EINVAL', call, path);
  return node;
}

export const pipeCalls = {
  pipe2(ends: Int32Array, flags: number) {
    const pipe = new Fifo(0o600, nowMs());
    ends[0] = add(pipe, 'pipe', constants.O_RDONLY | flags);
    ends[1] = add(pipe, 'pipe', constants.O_WRONLY | flags);
    return 0;
  },
  mkfifo(path: string, mode: number) {
    const place = find(path, { call: 'mkfifo', followsLast: false });
    if (place.node) throw failure('EEXIST', 'mkfifo', path);
    changing('mkfifo', place.path);
    place.parent.entries.set(place.name, new Fifo(mode & 0o7777, nowMs()));
    return 0;
  },
  eventfd: () => add(new EventCounter(0o600, nowMs()), 'counter', constants.O_RDWR),
  fcntl(descriptor: number, command: number, argument: number) {
    const open = descriptorOf(descriptor, 'fcntl');
    switch (command) {
      case commands.getFlags:
        return open.flags;
      case commands.setFlags:
        open.flags = (open.flags & accessBits) | (argument & ~accessBits);
        return 0;
      case commands.duplicate:
        return currentParticipant().descriptors.add(open, argument);
      case commands.setPipeSize:
        return pipeAt(descriptor, 'fcntl').resize(argument);
      default:
        throw new Error(`fcntl ${command} is not simulated`);
    }
  },
  ioctl(descriptor: number, request: number, value: Int32Array) {
    const { path } = descriptorOf(descriptor, 'ioctl');
    // Others are of kernels that this one is older than.
    if (request !== requests.waitingBytes) throw failure('ENOTTY', 'ioctl', path);
    value[0] = pipeAt(descriptor, 'ioctl').byteLength;
    return 0;
  },
  splice(from: number, _fromAt: null, to: number, _toAt: null, bytes: number) {
    const source = pipeAt(from, 'splice');
    const { node } = descriptorOf(to, 'splice');
    changing('splice', descriptorOf(from, 'splice').path);
    return source.moveTo(node instanceof Fifo ? node : null, bytes);
  },
  tee: (from: number, to: number, bytes: number) => pipeAt(from, 'tee').copyTo(pipeAt(to, 'tee'), bytes),
  read(descriptor: number, buffer: Uint8Array) {
    const { node } = descriptorOf(descriptor, 'read');
    if (node instanceof EventCounter) {
      node.take();
      return buffer.byteLength;
    }
    return pipeAt(descriptor, 'read').read(Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength));
  },
  epoll_create1: () => add(new PollSet(0o600, nowMs()), 'poll set', constants.O_RDWR),
  epoll_ctl(poll: number, operation: number, descriptor: number, event: Buffer) {
    const open = descriptorOf(descriptor, 'epoll_ctl');
    const [events, token] = [event.readUInt32LE(0), event.readUInt32LE(epollDataOffset)];
    pollSetAt(poll).control({ operation, descriptor, open, events, token });
    return 0;
  },
};

function pollSetAt(descriptor: number): PollSet {
  const { node, path } = descriptorOf(descriptor, 'epoll');
  if (!(node instanceof PollSet)) throw failure('EINVAL', 'epoll', path);
  return node;
}

/** epoll_wait(2) on another thread; of a process that was killed it never returns. */
export function waitForEvents(poll: number, events: Buffer, count: number): Promise<number> {
  return new Promise((resolve) => {
    if (isDead()) return;
    const process = currentParticipant();
    pollSetAt(poll).wait(process, (found: Found[]) => {
      const told = found.slice(0, count);
      for (const [index, { token, events: seen }] of told.entries()) {
        events.writeUInt32LE(seen, index * epollEventBytes);
        events.writeUInt32LE(token, index * epollEventBytes + epollDataOffset);
      }
      resolve(told.length);
    });
  });
}
