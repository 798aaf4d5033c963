import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { fromReadable, fromWritable, pump } from '@wherry/bytes';
import type { CommandOutcome, RemoteCommandSession } from '../src/index.ts';

/** An HTTP server on loopback whose upgrades go to `serve`. */
export interface UpgradeServer extends AsyncDisposable {
  url: string;
  /** Sockets that are open now. */
  openSockets(): number;
}

/** Starts a server for one test; `await using` ends it and cuts what is still open. */
export async function upgradeServer(
  serve: (request: IncomingMessage, socket: Duplex, head: Buffer) => void,
): Promise<UpgradeServer> {
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    openSockets: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A handler that runs a real process and hands its output over whole. */
export function runProcess(argv: readonly string[]) {
  return async (session: RemoteCommandSession): Promise<CommandOutcome> => {
    const [command = '', ...args] = argv;
    const child = spawn(command, args, { stdio: 'pipe' });
    session.signal.addEventListener('abort', () => child.kill('SIGHUP'));
    child.on('error', () => {});
    if (session.stdin) pump(session.stdin, fromWritable(child.stdin));
    else child.stdin.end();
    const outputs = [
      session.stdout ? pump(fromReadable(child.stdout), session.stdout) : child.stdout.resume(),
      session.stderr ? pump(fromReadable(child.stderr), session.stderr) : child.stderr.resume(),
    ];
    const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
    await Promise.all(outputs);
    const exitCode = await exited;
    if (child.pid === undefined)
      return { kind: 'failed', message: `error executing command in container: no ${command}` };
    return {
      kind: 'exited',
      exitCode: exitCode ?? 137,
      message: `error executing command [${argv.join(' ')}], exit code ${exitCode}`,
    };
  };
}
