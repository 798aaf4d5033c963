import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { env } from 'node:process';
import { fromDuplex, pipe } from '@wherry/bytes';
import { connectPortForward } from '@wherry/portforward';

/** `kubectl port-forward web :8080` on any cluster: a local port, and a dial for each connection that comes in. */
async function main(server: string): Promise<void> {
  const session = await connectPortForward({
    url: `${server}/api/v1/namespaces/default/pods/web/portforward`,
    headers: { authorization: `Bearer ${env['TOKEN']}` },
    tls: { ca: env['CERTIFICATE_AUTHORITY'] },
  });
  const listener = createServer({ allowHalfOpen: true }, async (socket) => {
    const local = fromDuplex(socket);
    try {
      await pipe(local, await session.dial(8080));
    } catch (error) {
      // This connection failed; the others go on.
      local.abort(error as Error);
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  console.log((await (await fetch(`http://127.0.0.1:${port}/`)).text()).trim());
  listener.close();
  session.close();
}

if (env['SERVER']) await main(env['SERVER']);
else console.log('set SERVER, TOKEN and CERTIFICATE_AUTHORITY');

// Prints:
// set SERVER, TOKEN and CERTIFICATE_AUTHORITY
