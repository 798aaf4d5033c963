import { Readable } from 'node:stream';
import { ClientError, createKubeClient, exec } from '@wherry/client';

/** Sends text through a command in the pod `web` and shows what comes back, as `kubectl exec -i` does. */
async function main(): Promise<void> {
  const client = createKubeClient();
  const exitCode = await exec(client, {
    pod: 'web',
    command: ['sh', '-c', 'tr a-z A-Z; exit 3'],
    stdin: Readable.from(['hello\n']),
    stdout: process.stdout,
    stderr: process.stderr,
    signal: AbortSignal.timeout(30_000),
  });
  console.log(`exit code ${exitCode}`);
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
