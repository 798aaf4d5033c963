import { env } from 'node:process';
import { collect } from '@wherry/bytes';
import { connectRemoteCommand } from '@wherry/remotecommand';

/** Runs `hostname` in the pod `web` of any cluster: all it takes is a URL, credentials and whom to trust. */
async function main(server: string): Promise<void> {
  const url = new URL(`${server}/api/v1/namespaces/default/pods/web/exec`);
  url.searchParams.append('command', 'hostname');
  // The query and `streams` say the same: the server opens what the query asks for.
  url.searchParams.append('stdout', 'true');
  const command = await connectRemoteCommand({
    url,
    headers: { authorization: `Bearer ${env['TOKEN']}` },
    tls: { ca: env['CERTIFICATE_AUTHORITY'] },
    streams: { stdin: false, stdout: true, stderr: false, tty: false },
    signal: AbortSignal.timeout(30_000),
  });
  const output = command.stdout && (await collect(command.stdout));
  console.log(
    Buffer.from(output ?? [])
      .toString()
      .trim(),
    'exit code',
    await command.exitCode,
  );
}

if (env['SERVER']) await main(env['SERVER']);
else console.log('set SERVER, TOKEN and CERTIFICATE_AUTHORITY');

// Prints:
// set SERVER, TOKEN and CERTIFICATE_AUTHORITY
