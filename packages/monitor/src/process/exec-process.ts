import { rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { ByteSink } from '@wherry/bytes';
import { fromWritable } from '@wherry/bytes';
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
import { WatchedProcess } from './exit-watch.ts';
import { readPidFile } from './oci-arguments.ts';
import type { OciRuntime } from './oci-runtime.ts';

/** What to run in which container. */
export interface ExecRequest {
  containerId: string;
  process: OciProcess;
  stdin: boolean;
  /** Asked for when the terminal has come, before the process runs: its size, if the client told one. */
  initialSize?: () => TerminalSize | null;
  signal?: AbortSignal | undefined;
}

/** What all exec processes share. */
export interface ExecEnvironment {
  runtime: OciRuntime;
  poller: Poller;
  /** Ids of exec processes that somebody waits for. */
  running: Set<number>;
  /** Folder for process descriptions; on tmpfs when the machine has one. */
  folder: string;
  /** Folder for console sockets, with a short path. */
  socketFolder: string;
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

let nextExec = 1;

/** Starts a process. Rejects with `oci_runtime` (no such program, container gone), leaving nothing behind. */
export function startExec(environment: ExecEnvironment, request: ExecRequest): Promise<ExecProcess> {
  const name = `${process.pid}-${nextExec++}`;
  return request.process.terminal
    ? startWithTerminal(environment, request, name)
    : startWithPipes(environment, request, name);
}

async function runExec(
  environment: ExecEnvironment,
  request: ExecRequest,
  options: {
    name: string;
    stdio: [number | 'ignore', number | 'ignore', number | 'ignore'];
    more: string[];
    onSpawned?: () => void;
  },
): Promise<WatchedProcess> {
  const { runtime, poller, folder } = environment;
  const base = join(folder, options.name);
  const [processPath, pidPath] = [`${base}.json`, `${base}.pid`];
  writeFileSync(processPath, JSON.stringify(request.process), { mode: 0o600 });
  try {
    await runtime.call({
      arguments: [
        'exec',
        '--detach',
        '--process',
        processPath,
        '--pid-file',
        pidPath,
        ...options.more,
        request.containerId,
      ],
      logPath: `${base}.log`,
      stdio: options.stdio,
      signal: request.signal,
      ...(options.onSpawned && { onSpawned: options.onSpawned }),
    });
    const watched = WatchedProcess.open({ pid: readPidFile(pidPath), poller });
    if (!watched)
      throw new MonitorError(
        'internal',
        `the process started in "${request.containerId}" was reaped by somebody else`,
      );
    const { pid } = watched.identity;
    environment.running.add(pid);
    void watched.exited.then(() => environment.running.delete(pid));
    return watched;
  } finally {
    rmSync(processPath, { force: true });
    rmSync(pidPath, { force: true });
  }
}

async function startWithPipes(
  environment: ExecEnvironment,
  request: ExecRequest,
  name: string,
): Promise<ExecProcess> {
  const stdin = request.stdin ? openPipe() : null;
  const stdout = openPipe();
  const stderr = openPipe();
  for (const { readDescriptor } of [stdout, stderr]) setPipeCapacity(readDescriptor, limits.outputPipeBytes);
  const theirs = [stdin?.readDescriptor, stdout.writeDescriptor, stderr.writeDescriptor];
  const release = () => {
    for (const descriptor of theirs.splice(0)) if (descriptor !== undefined) closeDescriptor(descriptor);
  };
  const streams = {
    stdin: stdin && fromWritable(new Socket({ fd: stdin.writeDescriptor, readable: false, writable: true })),
    stdout: new PipeSource(stdout.readDescriptor),
    stderr: new PipeSource(stderr.readDescriptor),
  };
  const close = () => {
    streams.stdin?.abort(new MonitorError('cancelled', 'the process is let go'));
    streams.stdout.close();
    streams.stderr.close();
  };
  try {
    const process = await runExec(environment, request, {
      name,
      stdio: [stdin?.readDescriptor ?? 'ignore', stdout.writeDescriptor, stderr.writeDescriptor],
      more: [],
      onSpawned: release,
    });
    return { process, ...streams, resize: () => {}, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    release();
  }
}

async function startWithTerminal(
  environment: ExecEnvironment,
  request: ExecRequest,
  name: string,
): Promise<ExecProcess> {
  const { poller, socketFolder } = environment;
  const console = new ConsoleSocket(join(socketFolder, name), poller);
  console.terminal.then(
    (terminal) => {
      const size = request.initialSize?.();
      if (size) setTerminalSize(terminal, size);
    },
    () => {},
  );
  try {
    const process = await runExec(environment, request, {
      name,
      stdio: ['ignore', 'ignore', 'ignore'],
      more: ['--tty', '--console-socket', console.path],
    });
    return terminalProcess(process, await receiveTerminal(console), poller);
  } finally {
    console.close();
  }
}

/** The terminal that the runtime sent; it is here when the runtime has ended, save for the poller's next turn. */
export async function receiveTerminal(console: ConsoleSocket): Promise<number> {
  const timer = setTimeout(() => console.close(), limits.terminalWaitMs);
  try {
    return await console.terminal;
  } finally {
    clearTimeout(timer);
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
      stdin.abort(new MonitorError('cancelled', 'the terminal is let go'));
    },
  };
}
