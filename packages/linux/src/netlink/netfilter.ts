import { statSync } from 'node:fs';
import { hasCode } from '../errors.ts';
import { NetlinkSocket } from './netlink.ts';

const netfilterProtocol = 12;

interface KeptSocket {
  socket: NetlinkSocket;
  /** Inode of the network namespace that it asks. */
  namespace: number;
}

let kept: KeptSocket | undefined;

/**
 * Asks netfilter of the network namespace that this thread is in: tables and flows. The socket is used again: to close one
 * waits until all that transactions have removed is freed, a grace period of 10 to 20 ms. It stays open as long as the thread,
 * one at a time: in another namespace another takes its place.
 */
export function withNetfilter<T>(
  ask: (socket: NetlinkSocket) => T extends PromiseLike<unknown> ? never : T,
): T {
  const socket = socketHere();
  try {
    return ask(socket);
  } catch (error) {
    // Whether more of an answer comes that was not waited for is not known.
    if (hasCode(error, 'EAGAIN', 'ENOBUFS')) leave();
    throw error;
  }
}

function socketHere(): NetlinkSocket {
  const namespace = statSync('/proc/thread-self/ns/net').ino;
  if (kept?.namespace === namespace) return kept.socket;
  leave();
  kept = { socket: new NetlinkSocket(netfilterProtocol), namespace };
  return kept.socket;
}

function leave(): void {
  kept?.socket.close();
  kept = undefined;
}
