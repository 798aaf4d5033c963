import { createKubeClient, portForward } from '@wherry/client';

const client = createKubeClient();
const name = process.argv[2] ?? 'web';
await using forward = await portForward(client, {
  target: { kind: 'pod', name },
  ports: [{ local: 0, remote: 8080 }],
});
const response = await fetch(`http://127.0.0.1:${forward.listeners[0]?.localPort}/`);
console.log(response.status, (await response.text()).trim());
