import { connect, type Socket } from 'node:net';

/** A TCP connection that a test speaks byte by byte. */
export interface RawConnection {
  socket: Socket;
  /** Everything received so far as latin1 text, once it matches; rejects when the connection closes before. */
  until(wanted: RegExp): Promise<string>;
  /** Everything received until the other side closed. */
  rest(): Promise<string>;
}

/** Connects to a `http://host:port` URL and sends `text`. */
export function rawConnection(url: string, text: string | Uint8Array): RawConnection {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = '';
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  socket.on('error', () => {});
  socket.on('data', (chunk) => (received += chunk.toString('latin1')));
  socket.once('end', () => socket.end());
  socket.write(text);
  return {
    socket,
    rest: () => closed,
    until(wanted) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!wanted.test(received)) return;
          socket.off('data', look);
          resolve(received);
        };
        socket.on('data', look);
        closed.then(() => reject(new Error(`closed before ${wanted}: ${JSON.stringify(received)}`)));
        look();
      });
    },
  };
}

/** A request head from its lines. */
export const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
