import { existsSync } from 'node:fs';
import type { Clock } from '@wherry/clock';
import { MonitorError, type MonitorMethods } from '@wherry/monitor-api';
import type { Logger, SessionBook } from '@wherry/telemetry';
import type { Monitor } from './monitor.ts';
import { runAttachSession } from './session/attach-session.ts';
import { ExecPreparations } from './session/exec-preparations.ts';
import { runExecSession } from './session/exec-session.ts';
import { dialPod } from './session/port-dial.ts';
import { StreamingServer } from './streaming/index.ts';

type ExecParams = MonitorMethods['stream.exec']['params'];
type AttachParams = MonitorMethods['stream.attach']['params'];
type ForwardParams = MonitorMethods['stream.portForward']['params'];

/** How sessions are served. */
export interface StreamingFrontEndOptions {
  monitor: Monitor;
  clock: Clock;
  address?: string;
  port?: number;
  tls?: { certPem: string; keyPem: string };
  idleTimeoutMs?: number;
  /** After a vanished client's process got SIGHUP: time before SIGKILL, 0 for never. */
  abandonedGraceMs: number;
  sessions?: SessionBook;
  logger: Logger;
}

/** The streaming server in front of the monitor's containers. */
export class StreamingFrontEnd {
  readonly #monitor: Monitor;
  readonly #preparations: ExecPreparations;
  readonly #server: StreamingServer<ExecParams, AttachParams, ForwardParams>;

  constructor({ monitor, abandonedGraceMs, ...server }: StreamingFrontEndOptions) {
    const { clock } = server;
    this.#monitor = monitor;
    this.#preparations = new ExecPreparations(monitor.execDependencies, (id) => monitor.isAlive(id));
    this.#server = new StreamingServer<ExecParams, AttachParams, ForwardParams>({
      ...server,
      runner: {
        exec: (request, session) =>
          runExecSession(() => this.#preparations.take(request), session, { clock, abandonedGraceMs }),
        attach: async (request, session) => runAttachSession(monitor.container(request.containerId), session),
        portForward: (request, port, options) => dialPod(request.networkNamespacePath, port, options),
      },
    });
  }

  listen(): Promise<void> {
    return this.#server.listen();
  }

  async close(): Promise<void> {
    await Promise.all([this.#preparations.close(), this.#server.close()]);
  }

  /** Throws MonitorError. A terminal is what the process has, or has not: both sides must agree. */
  execUrl(request: ExecParams): string {
    this.#monitor.runningContainer(request.containerId);
    if ((request.process.terminal ?? false) !== request.tty) {
      throw new MonitorError('INVALID_ARGUMENT', 'tty and process.terminal must be the same');
    }
    const url = this.#server.execUrl(request);
    this.#preparations.expect(request);
    return url;
  }

  /** Throws MonitorError. A container with a terminal can be attached to without one, not the other way round. */
  attachUrl(request: AttachParams): string {
    const container = this.#monitor.runningContainer(request.containerId);
    if (request.tty && !container.request.terminal) {
      throw new MonitorError(
        'INVALID_ARGUMENT',
        `container "${request.containerId}" has no terminal to attach to`,
      );
    }
    return this.#server.attachUrl(request);
  }

  /** Throws MonitorError, also when the network namespace is gone. */
  portForwardUrl(request: ForwardParams): string {
    const { sandboxId, networkNamespacePath: path } = request;
    if (path !== null && !existsSync(path)) {
      throw new MonitorError('FAILED_PRECONDITION', `pod sandbox "${sandboxId}" has no network any more`);
    }
    return this.#server.portForwardUrl(request);
  }

  /** See {@link StreamingServer.endForwards}. */
  endForwards(sandboxId: string): void {
    this.#server.endForwards(sandboxId);
  }
}
