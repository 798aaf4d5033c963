import type { ByteChannel, WaitOptions } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { CriError } from '@wherry/cri';
import type { CommandRequest, ForwardRequest, SessionRunner } from '@wherry/monitor';
import type { CommandOutcome, RemoteCommandSession } from '@wherry/remotecommand';
import { readableOf, writableOf } from '../container/node-streams.ts';
import { runCommand } from '../container/run-command.ts';
import type { PodProvider } from '../provider.ts';
import type { Records } from '../records.ts';

/** What sessions are served with. */
export interface SessionsOptions {
  provider: PodProvider;
  records: Records;
  clock: Clock;
}

/** Exec, attach and port-forward, as the streaming server asks for them. */
export class Sessions implements SessionRunner {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  async exec(request: CommandRequest, session: RemoteCommandSession): Promise<CommandOutcome> {
    const { records, provider, clock } = this.#options;
    const { stdin, stdout, stderr, sizes, signal } = session;
    const io = { stdin: readableOf(stdin), stdout: writableOf(stdout), stderr: writableOf(stderr), sizes };
    const command = { command: request.process?.args ?? [], hasTerminal: request.tty };
    try {
      const container = records.container(request.containerId);
      return {
        kind: 'exited',
        exitCode: await runCommand(container, command, { provider, clock, io, signal }),
      };
    } catch (error) {
      return {
        kind: 'failed',
        message: `error executing command in container: ${CriError.from(error).message}`,
      };
    }
  }

  async attach(request: CommandRequest, session: RemoteCommandSession): Promise<CommandOutcome> {
    const container = this.#options.records.findContainer(request.containerId);
    if (!container?.isRunning) {
      const why = `container ${request.containerId} is not running`;
      return { kind: 'failed', message: `error attaching to container: ${why}` };
    }
    await container.io.attach(session, container.ended);
    return { kind: 'exited', exitCode: 0 };
  }

  async portForward({ sandboxId }: ForwardRequest, port: number, options: WaitOptions): Promise<ByteChannel> {
    const { records, provider } = this.#options;
    const { pod, isReady } = records.sandbox(sandboxId);
    if (!isReady) throw new CriError('FAILED_PRECONDITION', `pod sandbox ${sandboxId} is not ready`);
    if (!provider.connect)
      throw new CriError('UNIMPLEMENTED', `${provider.name} connects to no ports of pods`);
    return provider.connect(pod, port, options);
  }
}
