import { aborted } from '@wherry/bytes';
import { MonitorError } from '@wherry/monitor-api';
import type { CommandOutcome, RemoteCommandSession } from '@wherry/remotecommand';
import type { Container } from '../container/container.ts';
import type { ContainerStdio } from '../container/streams/stdio.ts';
import { type InputEnd, relayInput } from './input-relay.ts';
import { LatestSize } from './latest-size.ts';

/**
 * Joins a client to a container's first process until that ends or the client goes. Where the end of its input is not the
 * process's, it ends the session alone, as containerd: kubectl's detach keys are no more than that. Never rejects.
 */
export async function runAttachSession(
  container: Container,
  session: RemoteCommandSession,
): Promise<CommandOutcome> {
  const { stdio } = container;
  if (!stdio)
    return { kind: 'failed', message: `error attaching to container: container "${container.id}" has ended` };
  const client = { stdout: session.stdout, stderr: session.stderr };
  const dropped = stdio.attachments.add(client).then((error) => error.message);
  const input = session.stdin && attachInput({ container, stdio, source: session.stdin });
  new LatestSize(session).follow((size) => stdio.resize(size));
  try {
    const over = Promise.race([container.ended, aborted(session.signal), detached(container, input)]).then(
      () => null,
    );
    const reason = await Promise.race([over, dropped]);
    if (reason) return { kind: 'failed', message: `error attaching to container: ${reason}` };
  } finally {
    stdio.attachments.remove(client);
  }
  // A client that leaves without end of input is done with stdin as well.
  if (input && container.request.stdinOnce && session.signal.aborted) container.closeStdin();
  return { kind: 'exited', exitCode: 0 };
}

/** Resolves once the client has no more input that the process goes on without; never where there is no such end. */
async function detached(
  { request: { terminal, stdinOnce } }: Container,
  input: Promise<InputEnd | undefined> | null,
): Promise<void> {
  const isDone = (await input) === 'end-of-input' && (terminal || !stdinOnce);
  if (!isDone) await new Promise<never>(() => {});
}

async function attachInput(options: {
  container: Container;
  stdio: ContainerStdio;
  source: NonNullable<RemoteCommandSession['stdin']>;
}): Promise<InputEnd | undefined> {
  const { container, stdio, source } = options;
  if (!stdio.stdin) {
    source.abort(new MonitorError('FAILED_PRECONDITION', `stdin of container "${container.id}" is closed`));
    return undefined;
  }
  const end = await relayInput(source, stdio.stdin);
  if (end !== 'process-gone' && container.request.stdinOnce) container.closeStdin();
  return end;
}
