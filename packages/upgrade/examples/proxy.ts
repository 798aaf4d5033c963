import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect, pump } from '@wherry/bytes';
import { acceptSpdyUpgrade, proxyUpgrade, requestUpgrade } from '@wherry/upgrade';

// A backend that upgrades to a byte stream and echoes it.
const backend = createServer().listen(0, '127.0.0.1');
backend.on('upgrade', (request, socket, head) => {
  try {
    const { channel } = acceptSpdyUpgrade({ request, socket, head, protocols: ['echo'] });
    pump(channel, channel);
  } catch (error) {
    console.log('backend:', (error as Error).message); // The client has its answer already.
  }
});
await once(backend, 'listening');
const backendUrl = `http://127.0.0.1:${(backend.address() as AddressInfo).port}`;

// A hop that passes upgrades on, with credentials of its own in place of the client's.
const hop = createServer().listen(0, '127.0.0.1');
const passed: ReturnType<typeof proxyUpgrade>[] = [];
hop.on('upgrade', (request, socket, head) => {
  const headers = { Authorization: 'Bearer the-hop' };
  const url = `${backendUrl}${request.url}`;
  passed.push(proxyUpgrade({ request, socket, head, backend: { url, headers } }));
});
await once(hop, 'listening');
const url = `http://127.0.0.1:${(hop.address() as AddressInfo).port}/exec`;

const { channel, protocol } = await requestUpgrade({ url, protocols: ['newer', 'echo'] });
console.log('upgraded to', protocol);
channel.write(Buffer.from('hello'));
channel.end();
console.log(Buffer.from(await collect(channel)).toString());

const refusal = await requestUpgrade({ url, protocols: ['unknown'] }).catch((error) => error);
console.log('client:', refusal.message);
for (const { statusCode, bytesFromBackend } of await Promise.all(passed)) {
  console.log('hop:', statusCode, bytesFromBackend);
}
backend.close();
hop.close();

// Prints:
// upgraded to echo
// hello
// backend: unable to upgrade: unable to negotiate protocol: client supports [unknown], server accepts [echo]
// client: unable to upgrade connection: unable to upgrade: unable to negotiate protocol: client supports [unknown], server accepts [echo]
// hop: 101 5
// hop: 403 0
