import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collect, fromReadable, fromWritable, pump } from '@wherry/bytes';
import { connectRemoteCommand, serveRemoteCommand } from '@wherry/remotecommand';

const streams = { stdin: true, stdout: true, stderr: false, tty: false };

// A streaming server that runs `tr` for every session.
const server = createServer().listen(0, '127.0.0.1');
server.on('upgrade', (request, socket, head) => {
  serveRemoteCommand({
    request,
    socket,
    head,
    streams,
    async handler({ stdin, stdout }) {
      const child = spawn('sh', ['-c', 'tr a-z A-Z; exit 3'], { stdio: ['pipe', 'pipe', 'inherit'] });
      if (stdin) pump(stdin, fromWritable(child.stdin));
      if (stdout) await pump(fromReadable(child.stdout), stdout);
      const exitCode = child.exitCode ?? (await once(child, 'exit'))[0];
      return { kind: 'exited', exitCode };
    },
  });
});
await once(server, 'listening');

const { port } = server.address() as AddressInfo;
const command = await connectRemoteCommand({
  url: `http://127.0.0.1:${port}/exec`,
  streams,
  transport: 'auto',
});
command.stdin?.write(Buffer.from('shout this'));
command.stdin?.end();

const output = command.stdout && (await collect(command.stdout));
console.log(Buffer.from(output ?? []).toString());
console.log('exit code', await command.exitCode);
console.log('over', command.transport, command.protocol);
server.close();

// Prints:
// SHOUT THIS
// exit code 3
// over spdy v4.channel.k8s.io
