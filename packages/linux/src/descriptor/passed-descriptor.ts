import { constants } from 'node:os';
import { SyscallError } from '../errors.ts';
import { limits } from '../limits.ts';
import { check, declare, defineStruct, lastErrno } from '../native.ts';

const iovec = defineStruct({ base: 'void *', length: 'ulong' });
const msghdr = defineStruct({
  name: 'void *',
  nameLength: 'uint',
  iov: `${iovec} *`,
  iovCount: 'ulong',
  control: 'void *',
  controlLength: 'ulong',
  flags: 'int',
});
const sendmsg = declare(`long sendmsg(int socket, const ${msghdr} *message, int flags)`);
const recvmsg = declare(`long recvmsg(int socket, _Inout_ ${msghdr} *message, int flags)`);

const socketLevel = 1;
const scmRights = 1;
/** A control message with one descriptor: header (length, level, type), the int, padding. */
const controlBytes = 24;
const controlLength = 20;
const receiveCloseOnExec = 0x40000000;
const noSignal = 0x4000;

function header(data: Uint8Array, control: Uint8Array) {
  return {
    name: null,
    nameLength: 0,
    iov: [{ base: data, length: data.byteLength }],
    iovCount: 1,
    control,
    controlLength: control.byteLength,
    flags: 0,
  };
}

/** Hands an open descriptor to the process at the other end of a unix socket, with a name beside it (SCM_RIGHTS). */
export function sendDescriptor(socket: number, descriptor: number, name: string): void {
  const control = Buffer.alloc(controlBytes);
  control.writeBigUInt64LE(BigInt(controlLength), 0);
  control.writeInt32LE(socketLevel, 8);
  control.writeInt32LE(scmRights, 12);
  control.writeInt32LE(descriptor, 16);
  check('sendmsg', sendmsg(socket, header(Buffer.from(name), control), noSignal), name);
}

/** A descriptor that came over a unix socket, and the bytes beside it. */
export interface PassedDescriptor {
  descriptor: number;
  name: string;
}

/** Takes one passed descriptor (close-on-exec); null when nothing is there yet. Throws when none came with the bytes. */
export function receiveDescriptor(socket: number): PassedDescriptor | null {
  const data = Buffer.alloc(limits.passedNameBytesMax);
  const control = Buffer.alloc(controlBytes);
  const bytes = recvmsg(socket, header(data, control), receiveCloseOnExec);
  if (bytes < 0) {
    const errno = lastErrno();
    if (errno === constants.errno.EAGAIN) return null;
    throw new SyscallError('recvmsg', errno);
  }
  if (control.readInt32LE(12) !== scmRights || Number(control.readBigUInt64LE(0)) < controlLength) {
    throw new Error(`expected a descriptor beside "${data.toString('utf8', 0, bytes)}", got none`);
  }
  return { descriptor: control.readInt32LE(16), name: data.toString('utf8', 0, bytes) };
}
