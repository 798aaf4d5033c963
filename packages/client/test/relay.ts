import { connect, createServer, type Socket } from 'node:net';

/** A relay to an API server whose connections can all be torn at once. */
export async function startRelay(serverPort: number) {
  const sockets = new Set<Socket>();
  const relay = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const tear = () => sockets.forEach((socket) => void socket.resetAndDestroy());
  const { port } = relay.address() as { port: number };
  const close = () => {
    tear();
    relay.close();
  };
  return { port, tear, close };
}
