import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientError, copyFromPod, copyToPod, createKubeClient } from '@wherry/client';

/** Copies a file into the pod `web` and back, and says how far it is. */
async function main(): Promise<void> {
  const client = createKubeClient();
  const folder = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const localPath = join(folder, 'there');
    writeFileSync(localPath, 'over and back');
    await copyToPod(client, {
      pod: 'web',
      localPath,
      remotePath: '/tmp/there',
      onProgress: ({ name, bytes }) => console.log(`${name}: ${bytes} bytes`),
    });
    const back = join(folder, 'back');
    await copyFromPod(client, { pod: 'web', remotePath: '/tmp/there', localPath: back });
    console.log(readFileSync(back, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main().catch((error: unknown) => {
  if (!(error instanceof ClientError)) throw error;
  console.log(`no cluster: ${error.code}`);
});

// Prints:
// no cluster: bad-config
