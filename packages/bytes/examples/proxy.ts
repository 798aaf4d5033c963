import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { collect, fromDuplex, type PipeOutcome, pipe } from '@wherry/bytes';

// A server that shouts back what it was told, once it was told everything.
const backend = createServer({ allowHalfOpen: true }, async (socket) => {
  const channel = fromDuplex(socket);
  const question = Buffer.from(await collect(channel)).toString();
  channel.write(Buffer.from(question.toUpperCase()));
  channel.end();
}).listen(0, '127.0.0.1');

// A proxy in front of it: half-close, back-pressure and failures pass both ways.
const outcomes: Promise<PipeOutcome>[] = [];
const proxy = createServer({ allowHalfOpen: true }, (socket) => {
  const upstream = connect((backend.address() as AddressInfo).port, '127.0.0.1');
  outcomes.push(pipe(fromDuplex(socket), fromDuplex(upstream)));
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

const client = fromDuplex(connect((proxy.address() as AddressInfo).port, '127.0.0.1'));
client.write(Buffer.from('is anybody there?'));
client.end();
console.log(Buffer.from(await collect(client)).toString());
console.log(await outcomes[0]);
proxy.close();
backend.close();

// Prints:
// IS ANYBODY THERE?
// { leftToRightBytes: 17, rightToLeftBytes: 17, error: null }
