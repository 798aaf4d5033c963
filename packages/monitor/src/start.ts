import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '@wherry/clock';
import { makePrivateFolder } from '@wherry/linux';
import { createMonitorServer, type MonitorHandlers, type MonitorMethodName } from '@wherry/monitor-api';
import { createLogger, type Logger, SessionBook } from '@wherry/telemetry';
import { createHandlers } from './handlers.ts';
import { keeperProgram } from './keeper/program.ts';
import { endStrayKeepers } from './keeper/strays.ts';
import { limits } from './limits.ts';
import { Monitor } from './monitor.ts';
import { chooseOciRuntime } from './process/choose-oci-runtime.ts';
import { shortName, spareFolderOf } from './process/exec-folders.ts';
import { StreamingFrontEnd } from './streaming-front-end.ts';

/** What `startMonitor` needs. */
export interface StartMonitorOptions {
  /** Folder for everything durable; made when missing. */
  dataDir: string;
  /** Unix socket of the monitor's wire (at most 107 bytes). */
  socketPath: string;
  /** Default 127.0.0.1. */
  streamingAddress?: string;
  /** Default 0: any free port. */
  streamingPort?: number;
  streamingTls?: { certPem: string; keyPem: string };
  /** Silence that ends a session. Default 4 h. */
  streamingIdleTimeoutMs?: number;
  /** "runc", "crun" or a path. Default: crun where it works, else runc. */
  ociRuntime?: string;
  /** After a vanished exec client's process got SIGHUP: time before SIGKILL, 0 for never. Default 10 s. */
  abandonedExecGraceMs?: number;
  /**
   * The process is the monitor's alone: ended children that nobody waits for are reaped, such as what a container in
   * the host's PID namespace left behind. Where anything else starts children here, by node:child_process for one,
   * it would lose their ends. Default false.
   */
  ownsProcess?: boolean;
  /** How long an attached client may take nothing before its container goes on without it. Default 30 s. */
  attachPatienceMs?: number;
  /** Default: the machine's. */
  clock?: Clock;
  logger?: Logger;
}

/** A running monitor. */
export interface RunningMonitor {
  ociRuntime: string;
  /** Ends the wire and the sessions; containers run on and are taken on by the next monitor. */
  close(): Promise<void>;
}

const version = '0.1.0';
/** Room for a console socket's own name in the 107 bytes of a unix socket's path. */
const socketFolderBytesMax = 80;

/** Starts the parent of all containers in this process, which becomes a subreaper. One for each data folder. */
export async function startMonitor(options: StartMonitorOptions): Promise<RunningMonitor> {
  const logger = options.logger ?? createLogger('monitor');
  const clock = options.clock ?? systemClock;
  const folders = makeFolders(options.dataDir);
  const ociRuntime = options.ociRuntime ?? chooseOciRuntime();
  const abandonedExecGraceMs = options.abandonedExecGraceMs ?? limits.abandonedExecGraceMs;
  const monitor = new Monitor({
    ...folders,
    ociRuntime,
    keeperProgram: writeKeeperProgram(options.dataDir),
    attachPatienceMs: options.attachPatienceMs,
    abandonedExecGraceMs,
    ownsProcess: options.ownsProcess ?? false,
    clock,
    logger,
  });
  const sessions = new SessionBook({ hop: 'streaming-server', clock });
  const streaming = new StreamingFrontEnd({
    monitor,
    sessions,
    clock,
    address: options.streamingAddress ?? '127.0.0.1',
    port: options.streamingPort ?? 0,
    ...(options.streamingTls && { tls: options.streamingTls }),
    ...(options.streamingIdleTimeoutMs !== undefined && { idleTimeoutMs: options.streamingIdleTimeoutMs }),
    abandonedGraceMs: abandonedExecGraceMs,
    logger,
  });
  const handlers = createHandlers({
    monitor,
    streaming,
    sessions,
    version: { name: 'wherry', version, ociRuntime },
  });
  const opened = new AsyncDisposableStack();
  opened.defer(() => monitor.close());
  opened.defer(() => streaming.close());
  try {
    await streaming.listen();
    mkdirSync(dirname(options.socketPath), { recursive: true, mode: 0o700 });
    const adopted = monitor.adopt();
    // Before anything of it is closed.
    opened.defer(() => adopted);
    const server = await createMonitorServer({
      socketPath: options.socketPath,
      handlers: onceAdopted(handlers, adopted),
    });
    opened.defer(() => server.close());
    await adopted;
  } catch (error) {
    // Nothing stays of a start that fails; what it failed of counts, not how that goes.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
  logger.info('ready', { socket: options.socketPath, ociRuntime, containers: monitor.statuses().length });
  return { ociRuntime, close: () => opened.disposeAsync() };
}

/** Calls wait until the containers are taken on. */
function onceAdopted(handlers: MonitorHandlers, adopted: Promise<void>): MonitorHandlers {
  const names = Object.keys(handlers) as MonitorMethodName[];
  const waiting = names.map((name) => {
    const handler = handlers[name] as (...args: unknown[]) => unknown;
    if (name === 'version') return [name, handler];
    return [name, (...args: unknown[]) => adopted.then(() => handler(...args))];
  });
  return Object.fromEntries(waiting) as MonitorHandlers;
}

/** Replaced in one step, and only when it differs: keepers of earlier monitors run it. */
function writeKeeperProgram(dataDir: string): string {
  const path = keeperProgramPath(dataDir);
  const program = keeperProgram();
  if (existsSync(path) && readFileSync(path).equals(program)) return path;
  writeFileSync(`${path}.new`, program, { mode: 0o700 });
  renameSync(`${path}.new`, path);
  return path;
}

const keeperProgramPath = (dataDir: string): string => join(realpathSync(dataDir), 'keeper');

/**
 * Ends all that keeps the containers of a data folder without a monitor, and removes what a monitor has outside of it: for who
 * has ended the containers themselves.
 */
export function endKeepers(dataDir: string): void {
  if (existsSync(dataDir)) endStrayKeepers(keeperProgramPath(dataDir), new Set());
  rmSync(spareFolderOf(execFolderIn(dataDir)), { recursive: true, force: true });
}

const execFolderIn = (dataDir: string): string => join(dataDir, 'exec');

function makeFolders(dataDir: string) {
  const folders = {
    containersFolder: join(dataDir, 'containers'),
    ociRoot: join(dataDir, 'oci'),
    execFolder: execFolderIn(dataDir),
    socketFolder: shortFolder(join(dataDir, 'sockets')),
  };
  for (const folder of [dataDir, ...Object.values(folders)]) makePrivateFolder(folder);
  return folders;
}

/** A unix socket's path has 107 bytes: long data folders get a short one elsewhere, the same each time. */
function shortFolder(folder: string): string {
  if (Buffer.byteLength(folder) <= socketFolderBytesMax) return folder;
  return shortName(folder);
}
