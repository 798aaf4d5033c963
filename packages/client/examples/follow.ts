import { ClientError, createKubeClient, logs } from '@wherry/client';

/** Follows the log of the pod `web` until it says that it listens; a cut connection is taken up again in between. */
async function main(): Promise<void> {
  const client = createKubeClient();
  for await (const chunk of logs(client, { pod: 'web', follow: true })) {
    process.stdout.write(chunk);
    // Leaving the loop ends the request.
    if (Buffer.from(chunk).includes('listening')) break;
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
