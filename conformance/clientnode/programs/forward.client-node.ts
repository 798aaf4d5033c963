import { createServer } from 'node:net';
import { KubeConfig, PortForward } from '@kubernetes/client-node';

const config = new KubeConfig();
config.loadFromDefault();
const namespace = config.getContextObject(config.getCurrentContext())?.namespace ?? 'default';
const pod = process.argv[2] ?? 'web';
const forward = new PortForward(config);
const server = createServer((socket) => {
  socket.on('error', () => {});
  forward.portForward(namespace, pod, [8080], socket, null, socket).catch(() => socket.destroy());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const response = await fetch(`http://127.0.0.1:${port}/`);
console.log(response.status, (await response.text()).trim());
process.exit();
