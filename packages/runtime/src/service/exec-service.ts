import type { AttachRequest, ExecRequest, ExecSyncResponse, PortForwardRequest } from '@wherry/cri';
import type { MonitorClient, OciProcess, StreamSelection } from '@wherry/monitor-api';
import type { Container } from '../container/container-record.ts';
import type { ContainerStore } from '../container/container-store.ts';
import { RuntimeError } from '../errors.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';

const msPerSecond = 1000;

/** Processes beside a container's own, and the ways to its streams: the monitor runs them and answers with URLs. */
export class ExecService {
  readonly #monitor: MonitorClient;
  readonly #containers: ContainerStore;
  readonly #sandboxes: SandboxStore;
  /** The processes of containers that commands have run in: they do not change, and need not be read each time. */
  readonly #processes = new WeakMap<Container, OciProcess>();

  constructor(options: { monitor: MonitorClient; containers: ContainerStore; sandboxes: SandboxStore }) {
    this.#monitor = options.monitor;
    this.#containers = options.containers;
    this.#sandboxes = options.sandboxes;
  }

  /** Runs a command to its end; `timeoutS` 0 waits for ever. Throws `RuntimeError` DEADLINE_EXCEEDED when it was killed for time. */
  async sync(
    id: string,
    command: string[],
    timeoutS: number,
    signal: AbortSignal,
  ): Promise<ExecSyncResponse> {
    const container = this.#running(id);
    const process = await this.#process(container, command, false);
    const params = { containerId: container.id, process, timeoutMs: timeoutS * msPerSecond };
    const { exitCode, stdout, stderr } = await this.#monitor.call('exec.sync', params, { signal });
    return { exitCode, stdout, stderr };
  }

  /** A URL that runs a command once, with its streams. */
  async exec(request: ExecRequest): Promise<string> {
    const streams = selectionOf(request);
    const container = this.#running(request.containerId);
    const process = await this.#process(container, request.cmd, request.tty);
    const params = { containerId: container.id, process, ...streams };
    return (await this.#monitor.call('stream.exec', params)).url;
  }

  /** A URL to the streams of a container's own process. */
  async attach(request: AttachRequest): Promise<string> {
    const streams = selectionOf(request);
    const container = this.#running(request.containerId);
    if (request.tty !== container.config.tty) {
      const has = container.config.tty ? 'a' : 'no';
      throw new RuntimeError(
        'INVALID_ARGUMENT',
        `container ${container.id} has ${has} terminal; attach with tty ${container.config.tty}`,
      );
    }
    const params = { containerId: container.id, ...streams };
    return (await this.#monitor.call('stream.attach', params)).url;
  }

  /** A URL to ports of a pod. */
  async portForward(request: PortForwardRequest): Promise<string> {
    const sandbox = this.#sandboxes.find(request.podSandboxId);
    if (!sandbox.ready)
      throw new RuntimeError('FAILED_PRECONDITION', `pod sandbox ${sandbox.id} is not ready`);
    const params = {
      sandboxId: sandbox.id,
      networkNamespacePath: sandbox.namespaces.net ?? null,
      ports: request.port,
    };
    return (await this.#monitor.call('stream.portForward', params)).url;
  }

  #running(id: string): Container {
    const container = this.#containers.find(id);
    if (container.state !== 'running') {
      throw new RuntimeError('UNKNOWN', `container ${container.id} is ${container.state}, not running`);
    }
    return container;
  }

  /** The container's own process with another command: same user, rights, environment and folder. */
  async #process(container: Container, args: string[], terminal: boolean): Promise<OciProcess> {
    if (args.length === 0) throw new RuntimeError('INVALID_ARGUMENT', 'there is no command to run');
    const process = this.#processes.get(container) ?? (await this.#readProcess(container));
    const env = process.env ?? [];
    const needsTerm = terminal && !env.some((entry) => entry.startsWith('TERM='));
    return { ...process, args, terminal, env: needsTerm ? [...env, 'TERM=xterm'] : env };
  }

  async #readProcess(container: Container): Promise<OciProcess> {
    const { process } = await this.#containers.specOf(container);
    this.#processes.set(container, process);
    return process;
  }
}

function selectionOf({ stdin, stdout, stderr, tty }: StreamSelection): StreamSelection {
  if (!stdin && !stdout && !stderr)
    throw new RuntimeError('INVALID_ARGUMENT', 'at least one of stdin, stdout, stderr must be asked for');
  if (tty && stderr)
    throw new RuntimeError('INVALID_ARGUMENT', 'a terminal has no stderr of its own; ask for stdout only');
  return { stdin, stdout, stderr, tty };
}
