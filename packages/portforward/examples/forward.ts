import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { collect, fromDuplex } from '@wherry/bytes';
import { connectPortForward, servePortForward } from '@wherry/portforward';

// Something that listens in the pod.
const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');

// A streaming server that dials on this machine instead of inside a pod.
const server = createHttpServer().listen(0, '127.0.0.1');
server.on('upgrade', (request, socket, head) => {
  servePortForward({
    request,
    socket,
    head,
    podName: 'web',
    async dial(port) {
      const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      await once(target, 'connect');
      return fromDuplex(target);
    },
  });
});
await Promise.all([once(echo, 'listening'), once(server, 'listening')]);

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/portforward`;
const session = await connectPortForward({ url });

// A connection that fails ends alone…
const refused = await session.dial(1);
refused.receive({ data() {}, end() {}, closed() {} });
console.log((await refused.closed)?.message);

// …and the next one works.
const channel = await session.dial((echo.address() as AddressInfo).port);
channel.write(Buffer.from('hello from the pod'));
channel.end();
console.log(Buffer.from(await collect(channel)).toString());

session.close();
console.log(session.transport, await session.closed);
echo.close();
server.close();

// Prints:
// error forwarding port 1 to pod web, uid : connect ECONNREFUSED 127.0.0.1:1
// hello from the pod
// websocket null
