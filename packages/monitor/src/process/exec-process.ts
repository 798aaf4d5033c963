import { fchmodSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { ByteSink } from '@wherry/bytes';
import { fromWritable } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import {
  ConsoleSocket,
  closeDescriptor,
  openPipe,
  type Poller,
  setPipeCapacity,
  setTerminalSize,
  type TerminalSize,
} from '@wherry/linux';
import { MonitorError, type OciProcess } from '@wherry/monitor-api';
import { DescriptorSink } from '../io/descriptor-sink.ts';
import { type OutputSource, PipeSource, TerminalSource } from '../io/output-source.ts';
import { limits } from '../limits.ts';
import { ExecCall, type ExecDependencies } from './exec-call.ts';
import type { WatchedProcess } from './exit-watch.ts';

/** Any user inside may open its own /dev/stdout again; outside nobody has a way to a pipe. */
const pipeMode = 0o666;

/** What to run in which container. */
export interface ExecRequest {
  containerId: string;
  process: OciProcess;
  stdin: boolean;
}

/** How a prepared process is started. */
export interface ExecStart {
  /** The terminal's size from the process's first moment on, if the client told one by now. */
  firstSize?: TerminalSize | null;
  /** Asked for when the terminal has come: the size that the client told last. */
  latestSize?: () => TerminalSize | null;
  signal?: AbortSignal;
}

/** A process of which everything is there but itself. One of the two must be called, once. */
export interface PreparedExec {
  readonly isTerminal: boolean;
  /** Starts the process. Rejects with `UNKNOWN` (no such program, container gone), leaving nothing behind. */
  start(options?: ExecStart): Promise<ExecProcess>;
  /** Lets everything go; no process was started. Settles when the OCI runtime has ended. */
  cancel(): Promise<void>;
}

/** A process running in a container beside its first one. */
export interface ExecProcess {
  readonly process: WatchedProcess;
  /** Null when not asked for. */
  readonly stdin: ByteSink | null;
  readonly stdout: OutputSource;
  /** Null with a terminal. */
  readonly stderr: OutputSource | null;
  resize(size: TerminalSize): void;
  /** Lets all streams go; a terminal hangs up. */
  close(): void;
}

/** Starts the OCI runtime up to where it would start the process. */
export function prepareExec(dependencies: ExecDependencies, request: ExecRequest): PreparedExec {
  const name = dependencies.names.next();
  return request.process.terminal
    ? prepareWithTerminal(dependencies, request, name)
    : prepareWithPipes(dependencies, request, name);
}

function prepareWithPipes(dependencies: ExecDependencies, request: ExecRequest, name: string): PreparedExec {
  const stdin = request.stdin ? openPipe() : null;
  const stdout = openPipe();
  const stderr = openPipe();
  for (const { readDescriptor } of [stdout, stderr]) setPipeCapacity(readDescriptor, limits.outputPipeBytes);
  // Where root inside is not the machine's, the OCI runtime can't give the pipes to the process's own user.
  for (const pipe of [stdin, stdout, stderr]) if (pipe) fchmodSync(pipe.readDescriptor, pipeMode);
  const theirs = [stdin?.readDescriptor, stdout.writeDescriptor, stderr.writeDescriptor];
  const streams = {
    stdin: stdin && fromWritable(new Socket({ fd: stdin.writeDescriptor, readable: false, writable: true })),
    stdout: new PipeSource(stdout.readDescriptor),
    stderr: new PipeSource(stderr.readDescriptor),
  };
  const close = () => {
    streams.stdin?.abort(new MonitorError('CANCELLED', 'the process is let go'));
    streams.stdout.close();
    streams.stderr.close();
  };
  const call = new ExecCall(dependencies, {
    containerId: request.containerId,
    name,
    stdio: [stdin?.readDescriptor ?? 'ignore', stdout.writeDescriptor, stderr.writeDescriptor],
    more: [],
    release() {
      for (const descriptor of theirs.splice(0)) if (descriptor !== undefined) closeDescriptor(descriptor);
    },
  });
  return {
    isTerminal: false,
    async start({ signal } = {}) {
      try {
        const process = await call.start(request.process, signal);
        return { process, ...streams, resize: () => {}, close };
      } catch (error) {
        close();
        throw error;
      }
    },
    async cancel() {
      close();
      await call.cancel();
    },
  };
}

function prepareWithTerminal(
  dependencies: ExecDependencies,
  request: ExecRequest,
  name: string,
): PreparedExec {
  const { poller, clock, socketFolder } = dependencies;
  const console = new ConsoleSocket(join(socketFolder, name), poller);
  const call = new ExecCall(dependencies, {
    containerId: request.containerId,
    name,
    stdio: ['ignore', 'ignore', 'ignore'],
    more: ['--tty', '--console-socket', console.path],
    release: () => {},
  });
  return {
    isTerminal: true,
    async start({ firstSize, latestSize, signal } = {}) {
      console.terminal.then(
        (terminal) => {
          const size = latestSize?.();
          if (size) setTerminalSize(terminal, size);
        },
        () => {},
      );
      try {
        const description = { ...request.process, ...(firstSize && { consoleSize: firstSize }) };
        const process = await call.start(description, signal);
        return terminalProcess(process, await receiveTerminal(console, clock), poller);
      } finally {
        console.close();
      }
    },
    async cancel() {
      console.close();
      await call.cancel();
    },
  };
}

/** The terminal that the OCI runtime sent; it is here when that has ended, save for the poller's next turn. */
export async function receiveTerminal(console: ConsoleSocket, clock: Clock): Promise<number> {
  const timer = clock.after(limits.terminalWaitMs, () => console.close());
  try {
    return await console.terminal;
  } finally {
    timer.cancel();
  }
}

function terminalProcess(process: WatchedProcess, terminal: number, poller: Poller): ExecProcess {
  const stdin = new DescriptorSink(terminal, poller);
  const stdout = new TerminalSource(terminal, poller);
  return {
    process,
    stdin,
    stdout,
    stderr: null,
    resize: (size) => setTerminalSize(terminal, size),
    close() {
      stdout.close();
      stdin.abort(new MonitorError('CANCELLED', 'the terminal is let go'));
    },
  };
}
