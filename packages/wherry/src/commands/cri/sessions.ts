import {
  joinSession,
  type OpenListener,
  openListener,
  parseForwardPort,
  type StreamTransport,
} from '@wherry/client';
import type { CriClient } from '@wherry/cri';
import { connectPortForward } from '@wherry/portforward';
import { connectRemoteCommand } from '@wherry/remotecommand';
import { CommandError } from '../../errors.ts';
import { reportExitCode } from '../../kube/exit-code.ts';
import { grantTerminal, type TerminalGrant, usingTerminal } from '../../kube/session-terminal.ts';
import { type CriFlags, withRuntime } from './connect.ts';
import { findContainer, findSandbox } from './find.ts';

/** Flags of the streaming commands. */
export interface CriStreamFlags extends CriFlags {
  transport: StreamTransport;
  stdin?: boolean;
  tty?: boolean;
  sync?: boolean;
  /** Milliseconds, 0 for none; with `sync`. */
  timeout?: number;
}

/** Runs a command in a container, over the runtime's streaming server or, with `sync`, by ExecSync. */
export function criExec(text: string, cmd: string[], flags: CriStreamFlags): Promise<void> {
  if (cmd.length === 0) throw new CommandError('you must specify at least one command for the container');
  return withRuntime(flags, async (client) => {
    const { id } = await findContainer(client, text);
    if (flags.sync) return execSync(client, id, cmd, flags.timeout ?? 0);
    const granted = grantTerminal({ stdin: flags.stdin ?? false, tty: flags.tty ?? false, quiet: false });
    const streams = streamsOf(granted);
    const { url } = await client.runtime.exec({ containerId: id, cmd, ...streams });
    await session(url, granted, flags.transport);
  });
}

/** Joins the running process of a container. */
export function criAttach(text: string, flags: CriStreamFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { id } = await findContainer(client, text);
    const granted = grantTerminal({ stdin: flags.stdin ?? false, tty: flags.tty ?? false, quiet: false });
    const { url } = await client.runtime.attach({ containerId: id, ...streamsOf(granted) });
    await session(url, granted, flags.transport);
  });
}

/** Forwards local ports to a sandbox until Ctrl-C or until the runtime ends the session. */
export function criPortForward(text: string, ports: string[], flags: CriStreamFlags): Promise<void> {
  return withRuntime(flags, async (client) => {
    const { id } = await findSandbox(client, text);
    const { url } = await client.runtime.portForward({ podSandboxId: id, port: [] });
    await using opened = new AsyncDisposableStack();
    const connection = await connectPortForward({ url, transport: flags.transport });
    opened.defer(() => connection.close());
    const dialer = { dial: (remote: number | string) => connection.dial(Number(remote)) };
    const listeners: OpenListener[] = [];
    for (const { local, remote } of ports.map(parseForwardPort)) {
      if (typeof remote !== 'number') throw new CommandError(`"${remote}" is not a port number`);
      const wanted = { address: '127.0.0.1', localPort: local ?? remote, remotePort: remote, remote };
      const listener = await openListener(wanted, dialer, {
        failure: ({ localPort }, error) =>
          console.error(`forwarding ${localPort} -> ${remote}: ${error.message}`),
      });
      opened.defer(() => listener.close());
      listeners.push(listener);
    }
    for (const { address, localPort, remotePort } of listeners) {
      console.log(`Forwarding from ${address}:${localPort} -> ${remotePort}`);
    }
    const lost = await Promise.race([connection.closed, interrupted()]);
    if (lost) throw lost;
  });
}

function interrupted(): Promise<undefined> {
  return new Promise((resolve) => process.once('SIGINT', () => resolve(undefined)));
}

/** A terminal carries both outputs as one. */
function streamsOf({ stdin, tty }: TerminalGrant) {
  return { stdin, tty, stdout: true, stderr: !tty };
}

async function session(url: string, granted: TerminalGrant, transport: StreamTransport): Promise<void> {
  const connection = await connectRemoteCommand({ url, transport, streams: streamsOf(granted) });
  reportExitCode(await usingTerminal(granted, (terminal) => joinSession(connection, terminal)));
}

async function execSync(
  client: CriClient,
  containerId: string,
  cmd: string[],
  timeoutMs: number,
): Promise<void> {
  const timeout = Math.ceil(timeoutMs / 1000);
  const { stdout, stderr, exitCode } = await client.runtime.execSync({ containerId, cmd, timeout });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  reportExitCode(exitCode);
}
