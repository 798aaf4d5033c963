import { closeDescriptor, readNow } from '../descriptor.ts';
import { limits } from '../limits.ts';
import { check, declare } from '../native.ts';
import { type Poller, pollEvents, type Watch } from '../poller.ts';
import { exitCodeOfStatus } from '../process.ts';
import { splitMessages } from './netlink.ts';

const nativeSocket = declare('int socket(int family, int type, int protocol)');
const bind = declare('int bind(int socket, const void *address, uint length)');
const setsockopt = declare('int setsockopt(int socket, int level, int name, const void *value, uint bytes)');
const nativeSend = declare('long send(int socket, const void *data, ulong bytes, int flags)');

const netlinkFamily = 16;
const rawNonBlocking = 3 | 0o2004000;
const connectorProtocol = 11;
const processGroup = 1;
const processValue = 1;
const startListening = 1;
const exitEvent = 0x80000000;
const connectorHeaderBytes = 20;
const eventHeaderBytes = 16;
const receiveBufferOption = 8;
const messageDone = 3;

/** A process that ended somewhere on the machine. */
export interface ProcessExit {
  pid: number;
  exitCode: number;
}

/**
 * Exits of every process, child or not, by the kernel's process connector (CN_IDX_PROC, PROC_EVENT_EXIT). Needs root in
 * the first user and pid namespaces. For kernels whose pid descriptors do not tell exit codes (before 6.15).
 */
export class ProcessExits {
  readonly #socket: number;
  readonly #watch: Watch;
  readonly #buffer = Buffer.alloc(limits.netlinkReceiveBytes);
  readonly #onExit: (exit: ProcessExit) => void;

  /** Throws EPERM or ECONNREFUSED where the connector is not to be had. */
  constructor(poller: Poller, onExit: (exit: ProcessExit) => void) {
    this.#onExit = onExit;
    this.#socket = check(
      'socket',
      nativeSocket(netlinkFamily, rawNonBlocking, connectorProtocol),
      'process connector',
    );
    try {
      this.#subscribe();
    } catch (error) {
      closeDescriptor(this.#socket);
      throw error;
    }
    this.#watch = poller.watch(this.#socket, pollEvents.readable, () => this.#drain());
  }

  close(): void {
    this.#watch.stop();
    closeDescriptor(this.#socket);
  }

  #subscribe(): void {
    const size = new Int32Array([limits.processEventBytes]);
    check('setsockopt', setsockopt(this.#socket, 1, receiveBufferOption, size, 4), 'process connector');
    const address = Buffer.alloc(12);
    address.writeUInt16LE(netlinkFamily, 0);
    address.writeUInt32LE(processGroup, 8);
    check('bind', bind(this.#socket, address, address.byteLength), 'process connector');
    const message = Buffer.alloc(16 + connectorHeaderBytes + 4);
    message.writeUInt32LE(message.byteLength, 0);
    message.writeUInt16LE(messageDone, 4);
    message.writeUInt32LE(processGroup, 16);
    message.writeUInt32LE(processValue, 20);
    message.writeUInt16LE(4, 32);
    message.writeUInt32LE(startListening, 36);
    check('netlink send', nativeSend(this.#socket, message, message.byteLength, 0), 'process connector');
  }

  #drain(): void {
    while (true) {
      const bytes = this.#read();
      if (bytes === null) break;
      for (const { payload } of splitMessages(this.#buffer.subarray(0, bytes))) this.#deliver(payload);
    }
    this.#watch.again();
  }

  /** ENOBUFS (more exits than the buffer holds) is no end: what was lost shows as an unknown exit code. */
  #read(): number | null {
    try {
      return readNow(this.#socket, this.#buffer);
    } catch {
      return null;
    }
  }

  #deliver(payload: Buffer): void {
    const event = payload.subarray(connectorHeaderBytes);
    if (event.byteLength < eventHeaderBytes + 12 || event.readUInt32LE(0) !== exitEvent) return;
    const [thread, process, status] = [16, 20, 24].map((offset) => event.readUInt32LE(offset));
    if (thread === process) this.#onExit({ pid: process!, exitCode: exitCodeOfStatus(status!) });
  }
}
