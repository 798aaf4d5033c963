import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { collect, fromDuplex, pump } from '@wherry/bytes';
import { systemClock } from '@wherry/clock';
import { createSpdySession } from '@wherry/spdy';

// A server that echoes each stream, and refuses those it does not know.
const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
  createSpdySession({
    transport: fromDuplex(socket),
    role: 'server',
    clock: systemClock,
    onStream(stream) {
      if (stream.headers.get('streamtype') !== 'echo') return stream.reset();
      stream.reply();
      pump(stream, stream);
    },
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
const session = createSpdySession({ transport: fromDuplex(socket), role: 'client', clock: systemClock });

const stream = await session.createStream({ streamType: 'echo' });
stream.write(Buffer.from('hello over SPDY'));
stream.end();
console.log(Buffer.from(await collect(stream)).toString());

await session.createStream({ streamType: 'other' }).catch((error) => console.log(error.message));

session.close();
console.log(await session.closed);
server.close();

// Prints:
// hello over SPDY
// stream 3 was reset by the peer (status 5)
// null
