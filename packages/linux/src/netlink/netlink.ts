import { closeDescriptor } from '../descriptor/descriptor.ts';
import { SyscallError } from '../errors.ts';
import { limits } from '../limits.ts';
import { check, declare } from '../native.ts';

const nativeSocket = declare('int socket(int family, int type, int protocol)');
const nativeSend = declare('long send(int socket, const void *data, ulong bytes, int flags)');
const nativeReceive = declare('long recv(int socket, _Out_ void *data, ulong bytes, int flags)');

const setsockopt = declare('int setsockopt(int socket, int level, int name, const void *value, uint bytes)');

const socketLevel = 1;
const receiveTimeoutOption = 20;
const forcedSendBufferOption = 32;
const netlinkFamily = 16;
const rawCloseOnExec = 3 | 0o2000000;
const messageError = 2;
const messageDone = 3;
const multiPartFlag = 2;
const headerBytes = 16;

/** Flags of a request (linux/netlink.h). */
export const netlinkFlags = {
  request: 1,
  acknowledge: 4,
  dump: 0x300,
  replace: 0x100,
  exclusive: 0x200,
  create: 0x400,
  append: 0x800,
} as const;

/** One message of an answer. */
export interface NetlinkMessage {
  type: number;
  payload: Buffer;
}

/** One netlink request: message type, flags beside "request", and the payload behind the header. */
export interface NetlinkRequest {
  type: number;
  flags: number;
  payload: Uint8Array;
}

/** Encodes requests back to back, numbered from `firstSequence`. */
function encodeRequests(requests: readonly NetlinkRequest[], firstSequence: number): Buffer {
  return Buffer.concat(
    requests.flatMap(({ type, flags, payload }, index) => {
      const header = Buffer.alloc(headerBytes);
      header.writeUInt32LE(headerBytes + payload.byteLength, 0);
      header.writeUInt16LE(type, 4);
      header.writeUInt16LE(flags | netlinkFlags.request, 6);
      header.writeUInt32LE(firstSequence + index, 8);
      return [header, payload, Buffer.alloc((4 - (payload.byteLength % 4)) % 4)];
    }),
  );
}

/**
 * A synchronous netlink socket of this thread's network namespace, where it stays also after the thread has left.
 * An answer that does not come within 5 s is an EAGAIN error.
 * Protocols: 0 route, 12 netfilter.
 */
export class NetlinkSocket {
  readonly #socket: number;
  #sequence = 1;

  constructor(protocol: number) {
    this.#socket = check(
      'socket',
      nativeSocket(netlinkFamily, rawCloseOnExec, protocol),
      `netlink ${protocol}`,
    );
    const timeout = new BigInt64Array([limits.netlinkReceiveTimeoutSeconds, 0n]);
    check('setsockopt', setsockopt(this.#socket, socketLevel, receiveTimeoutOption, timeout, 16), 'netlink');
  }

  /** Sends one request and gives back its answers. Throws the SyscallError that the kernel answered; `detail` names the subject. */
  request(request: NetlinkRequest, detail = ''): NetlinkMessage[] {
    const isDump = (request.flags & netlinkFlags.dump) === netlinkFlags.dump;
    const flags = isDump ? request.flags : request.flags | netlinkFlags.acknowledge;
    const sequence = this.#sequence++;
    this.#send(encodeRequests([{ ...request, flags }], sequence));
    return this.#answers(sequence, detail);
  }

  /**
   * Sends several requests as one datagram (an nftables transaction between its begin and its end), and waits until the
   * kernel has gone through all of them. Throws the first error.
   */
  batch(requests: readonly NetlinkRequest[], detail = ''): void {
    const first = this.#sequence;
    this.#sequence += requests.length;
    const last = requests.length - 2;
    const asked = requests.map((request, index) =>
      index === last ? { ...request, flags: request.flags | netlinkFlags.acknowledge } : request,
    );
    const bytes = encodeRequests(asked, first);
    this.#makeRoom(bytes.byteLength);
    this.#send(bytes);
    this.#answers(first + last, detail, first);
  }

  /** Closes the socket; not to be used afterwards. */
  close(): void {
    closeDescriptor(this.#socket);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #send(bytes: Buffer): void {
    check('netlink send', nativeSend(this.#socket, bytes, bytes.byteLength, 0));
  }

  /** A datagram has to fit into the socket's buffer, with what the kernel needs beside it. */
  #makeRoom(bytes: number): void {
    if (bytes < limits.netlinkSendBytes) return;
    const room = new Int32Array([bytes * 2]);
    check('setsockopt', setsockopt(this.#socket, socketLevel, forcedSendBufferOption, room, 4), 'netlink');
  }

  /** The answers to one request, or the first error of those from `earliest` on. */
  #answers(sequence: number, detail: string, earliest = sequence): NetlinkMessage[] {
    const answers: NetlinkMessage[] = [];
    const buffer = Buffer.alloc(limits.netlinkReceiveBytes);
    while (true) {
      const bytes = check(
        'netlink receive',
        nativeReceive(this.#socket, buffer, buffer.byteLength, 0),
        detail,
      );
      for (const message of splitMessages(buffer.subarray(0, bytes))) {
        if (message.sequence < earliest || message.sequence > sequence + 1) continue;
        if (message.type === messageDone) return answers;
        if (message.type === messageError) {
          const errno = -message.payload.readInt32LE(0);
          if (errno !== 0) throw new SyscallError('netlink', errno, detail);
          if (message.sequence < sequence) continue;
          return answers;
        }
        answers.push({ type: message.type, payload: Buffer.from(message.payload) });
      }
    }
  }
}

interface ReceivedMessage extends NetlinkMessage {
  flags: number;
  sequence: number;
}

/** Cuts a datagram into its messages; stops at a length that does not fit. */
function splitMessages(datagram: Buffer): ReceivedMessage[] {
  const messages: ReceivedMessage[] = [];
  let offset = 0;
  while (offset + headerBytes <= datagram.byteLength) {
    const length = datagram.readUInt32LE(offset);
    if (length < headerBytes || offset + length > datagram.byteLength) break;
    messages.push({
      type: datagram.readUInt16LE(offset + 4),
      flags: datagram.readUInt16LE(offset + 6) & multiPartFlag,
      sequence: datagram.readUInt32LE(offset + 8),
      payload: datagram.subarray(offset + headerBytes, offset + length),
    });
    offset += (length + 3) & ~3;
  }
  return messages;
}
