import { ClientError, captureExec, createKubeClient, kinds } from '@wherry/client';

/** Prints the running pods of the current namespace and what `hostname` says in each. */
async function main(): Promise<void> {
  const client = createKubeClient();
  const namespace = client.access.namespace;
  const { items } = await client
    .resource(kinds.pods)
    .listAll({ namespace, fieldSelector: 'status.phase=Running' });
  for (const { metadata } of items) {
    const pod = metadata.name ?? '';
    const { exitCode, stdout } = await captureExec(client, { namespace, pod, command: ['hostname'] });
    console.log(pod, exitCode === 0 ? stdout.trim() : `exit code ${exitCode}`);
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
