import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Which way a fault acts: towards the client (what the server sent) or towards the server. */
export type Direction = 'downstream' | 'upstream';

/** What goes wrong on a connection. Byte counts are of the faulty direction, from the start of the connection. */
export type Fault =
  /** Nothing: the control. */
  | { kind: 'none' }
  /** Every chunk arrives `delayMs` late. */
  | { kind: 'delay'; delayMs: number }
  /** Every byte is a write of its own. */
  | { kind: 'one-byte-writes' }
  /** After `afterBytes` both sides see an orderly TCP end; at most `times`, by default on every connection but the first `spared`. */
  | { kind: 'tear'; direction: Direction; afterBytes: number; times?: number; spared?: number }
  /** After `afterBytes` both sides see a reset. */
  | { kind: 'reset'; direction: Direction; afterBytes: number }
  /** After `afterBytes` nothing passes any more, and nobody is told. */
  | { kind: 'half-open'; direction: Direction; afterBytes: number }
  /** After `afterBytes` the reader stops for `pauseMs`, then goes on. */
  | { kind: 'stalled-reader'; direction: Direction; afterBytes: number; pauseMs: number };

/** A TCP proxy on loopback with one fault in it. */
export interface FaultProxy {
  port: number;
  /** Faults that took effect so far. */
  readonly fired: number;
  /** Bytes that came, both ways together. */
  readonly passedBytes: number;
  /** From now on nothing passes on the connections there are, both ways, and nobody is told. */
  freeze(): void;
  close(): Promise<void>;
}

interface RelayOptions {
  link: Link;
  direction: Direction;
  fault: Fault;
  /** Whether the fault may still take effect in this direction. */
  isDue: () => boolean;
  onFired: () => void;
}

interface Link {
  client: Socket;
  server: Socket;
}

/** Starts a proxy in front of `target`; every connection through it suffers `fault`. */
export async function startFaultProxy(
  target: { host: string; port: number },
  fault: Fault,
): Promise<FaultProxy> {
  const links = new Set<Link>();
  let fired = 0;
  let passedBytes = 0;
  const onFired = () => {
    fired++;
  };
  const times = ('times' in fault && fault.times) || Infinity;
  const isDue = (direction: Direction) =>
    'direction' in fault && fault.direction === direction && fired < times;
  const spared = ('spared' in fault && fault.spared) || 0;
  let accepted = 0;
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const link = { client, server: connect({ ...target, allowHalfOpen: true, noDelay: true }) };
    links.add(link);
    const isSpared = accepted++ < spared;
    client.setNoDelay(true);
    for (const socket of [link.client, link.server]) {
      socket.on('error', () => destroy(link));
      socket.on('close', () => {
        links.delete(link);
        passedBytes += socket.bytesRead;
      });
    }
    for (const direction of ['upstream', 'downstream'] as const) {
      relay({ link, direction, fault, isDue: () => !isSpared && isDue(direction), onFired });
    }
  });
  // A kubelet is reached at its node's address.
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get fired() {
      return fired;
    },
    get passedBytes() {
      return passedBytes;
    },
    freeze() {
      for (const link of links) freeze(link);
    },
    async close() {
      for (const link of links) destroy(link);
      server.close();
      await once(server, 'close');
    },
  };
}

function freeze({ client, server }: Link): void {
  for (const socket of [client, server]) {
    socket.removeAllListeners('data').removeAllListeners('drain').removeAllListeners('end');
    socket.pause();
  }
}

function destroy(link: Link): void {
  link.client.destroy();
  link.server.destroy();
}

function relay({ link, direction, fault, isDue, onFired }: RelayOptions): void {
  const [from, to] = direction === 'upstream' ? [link.client, link.server] : [link.server, link.client];
  const pass = passer(from, to, fault, onFired);
  let passedBytes = 0;
  let isBroken = false;
  from.on('data', (chunk: Buffer) => {
    if (isBroken) return;
    const cutAt = isDue() && 'afterBytes' in fault ? fault.afterBytes : Infinity;
    const before = passedBytes;
    passedBytes += chunk.length;
    if (before >= cutAt || passedBytes < cutAt) return pass(chunk);
    onFired();
    pass(chunk.subarray(0, cutAt - before));
    isBroken = breakLink(link, from, fault);
    if (!isBroken) pass(chunk.subarray(cutAt - before));
  });
  from.on('end', () => !isBroken && pass(null));
}

/** Applies a fault that has come due; returns whether the direction is dead now. */
function breakLink(link: Link, from: Socket, fault: Fault): boolean {
  switch (fault.kind) {
    case 'tear':
      link.client.destroySoon();
      link.server.destroySoon();
      return true;
    case 'reset':
      link.client.resetAndDestroy();
      link.server.resetAndDestroy();
      return true;
    case 'half-open':
      link.client.pause();
      link.server.pause();
      return true;
    case 'stalled-reader':
      from.pause();
      setTimeout(() => from.resume(), fault.pauseMs);
      return false;
    default:
      return false;
  }
}

function passer(from: Socket, to: Socket, fault: Fault, onFired: () => void): (chunk: Buffer | null) => void {
  const write = slowWriter(from, to);
  if (fault.kind === 'delay') {
    return (chunk) => {
      onFired();
      setTimeout(() => write(chunk), fault.delayMs);
    };
  }
  if (fault.kind === 'one-byte-writes') {
    return (chunk) => {
      onFired();
      if (chunk === null) return write(null);
      for (let index = 0; index < chunk.length; index++) write(chunk.subarray(index, index + 1));
    };
  }
  return write;
}

/** Writes on, or ends on null; the sender waits while the receiver is full. */
function slowWriter(from: Socket, to: Socket): (chunk: Buffer | null) => void {
  let isWaiting = false;
  to.on('drain', () => {
    isWaiting = false;
    from.resume();
  });
  return (chunk) => {
    if (to.destroyed) return;
    if (chunk === null) to.end();
    else if (!to.write(chunk) && !isWaiting) {
      isWaiting = true;
      from.pause();
    }
  };
}
