import { ClientError, createKubeClient, Informer, kinds } from '@wherry/client';

/** Keeps a picture of the namespace's pods up to date, and prints it once it is whole. */
async function main(): Promise<void> {
  const client = createKubeClient();
  const informer = new Informer({
    resource: client.resource(kinds.pods),
    namespace: client.access.namespace,
    handlers: {
      added: ({ metadata, status }) => console.log('added', metadata.name, status?.phase),
      deleted: ({ metadata }) => console.log('deleted', metadata.name),
      failed: (error) => console.log('tried again:', error.message),
    },
  }).start();
  await informer.synced();
  console.log(informer.objects.size, 'pods');
  await informer.close();
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
