import { ClientError, createKubeClient, portForward } from '@wherry/client';

/** Asks a web server in the pod `web` for its page, through a port of this machine that nobody else knows. */
async function main(): Promise<void> {
  const client = createKubeClient();
  await using forward = await portForward(client, {
    target: { kind: 'pod', name: 'web' },
    ports: [{ local: 0, remote: 8080 }],
    addresses: ['127.0.0.1'],
  });
  const [listener] = forward.listeners;
  const response = await fetch(`http://127.0.0.1:${listener?.localPort}/`);
  console.log(response.status, (await response.text()).trim());
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
