import { join } from 'node:path';
import { aborted, orAborted } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import { type ContainerConfig, ContainerState, type ContainerStatus, CriError } from '@wherry/cri';
import { LogFile } from '@wherry/monitor';
import type { Logger } from '@wherry/telemetry';
import { newId } from '../new-id.ts';
import type {
  PodProvider,
  ProvidedContainer,
  ProvidedImage,
  ProvidedPod,
  ProvidedProcess,
} from '../provider.ts';
import { ContainerIo } from './container-io.ts';
import { stopSignalOf } from './stop-signal.ts';
import { type ToldUsage, UsageReader } from './usage-reader.ts';

const signalKill = 9;
const unknownExitCode = 255;

/** What a container is made of. */
export interface ContainerRecordOptions {
  pod: ProvidedPod;
  config: ContainerConfig;
  image: ProvidedImage;
  provider: PodProvider;
  clock: Clock;
  logger: Logger;
  nowNs(): bigint;
  /** It has started, or has ended. */
  onChanged(container: ContainerRecord): void;
}

/** One container, from its making to its removal: started once, ended once. */
export class ContainerRecord {
  readonly id: string = newId();
  readonly pod: ProvidedPod;
  readonly config: ContainerConfig;
  /** Where its log is; '' for none. */
  readonly logPath: string;
  readonly createdAtNs: bigint;
  readonly io: ContainerIo;
  readonly provided: ProvidedContainer;
  readonly #options: ContainerRecordOptions;
  readonly #log: LogFile | undefined;
  readonly #ended = Promise.withResolvers<void>();
  readonly #stopSignal: number;
  readonly #usage: UsageReader;
  /** A start that is under way is no longer wanted. */
  readonly #giveUp = new AbortController();
  #state: ContainerState = ContainerState.CONTAINER_CREATED;
  #process: ProvidedProcess | undefined;
  #startedAtNs = 0n;
  #finishedAtNs = 0n;
  #exitCode = 0;
  #message = '';
  #reason = '';
  #starting: Promise<void> | undefined;

  constructor(options: ContainerRecordOptions) {
    const { pod, config, clock, logger } = options;
    this.#options = options;
    this.pod = pod;
    this.config = config;
    this.#stopSignal = stopSignalOf(config.stopSignal);
    this.#usage = new UsageReader(options);
    this.createdAtNs = options.nowNs();
    const { logDirectory } = pod.config;
    this.logPath = logDirectory && config.logPath ? join(logDirectory, config.logPath) : '';
    const onError = (error: unknown) => logger.warn('a log can not be written', { log: this.logPath, error });
    this.#log = this.logPath ? new LogFile(this.logPath, { clock, onError }) : undefined;
    this.io = new ContainerIo({
      clock,
      log: this.#log,
      hasInput: config.stdin,
      isInputOnce: config.stdinOnce,
    });
    this.provided = providedContainer(this.id, options);
  }

  get state(): ContainerState {
    return this.#state;
  }

  get isRunning(): boolean {
    return this.#state === ContainerState.CONTAINER_RUNNING;
  }

  /** Of a container that runs. */
  get process(): ProvidedProcess | undefined {
    return this.isRunning ? this.#process : undefined;
  }

  /** What it takes; undefined where it does not run, or nobody has said. */
  usage(): Promise<ToldUsage | undefined> {
    return this.#usage.read(this.process);
  }

  /** Resolves when it has ended and its log is whole. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get status(): ContainerStatus {
    const { config, image } = this.#options;
    return {
      ...{ id: this.id, metadata: config.metadata, state: this.#state, image: config.image },
      ...{ imageRef: image.id, imageId: image.id, exitCode: this.#exitCode, message: this.#message },
      reason: this.#reason,
      ...{ createdAt: this.createdAtNs, startedAt: this.#startedAtNs, finishedAt: this.#finishedAtNs },
      ...{ labels: config.labels, annotations: config.annotations, mounts: config.mounts },
      ...{ logPath: this.logPath, stopSignal: config.stopSignal },
    };
  }

  /** Rejects with what the provider says; then it has ended, with 128, as one whose program is not there. */
  start(): Promise<void> {
    if (this.#starting) throw new CriError('FAILED_PRECONDITION', `container ${this.id} was started before`);
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { provider, nowNs, onChanged } = this.#options;
    this.#startedAtNs = nowNs();
    try {
      this.#process = await provider.start(this.provided, this.io.ofProcess, { signal: this.#giveUp.signal });
    } catch (error) {
      await this.#end(128, messageOf(error), 'StartError');
      throw error;
    }
    this.#state = ContainerState.CONTAINER_RUNNING;
    onChanged(this);
    void this.#process.exited.then(
      (exitCode) => this.#end(exitCode, '', exitCode === 0 ? 'Completed' : 'Error'),
      (error: unknown) => this.#end(unknownExitCode, messageOf(error), 'Error'),
    );
  }

  /** Resolves when it has ended: by its own, or killed after `timeoutMs`. Rejects with `signal.reason`. */
  async stop(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    this.#giveUp.abort(new CriError('ABORTED', `container ${this.id} is to end`));
    await orAborted(Promise.resolve(this.#starting?.catch(() => {})), signal);
    if (!this.isRunning) return;
    const { clock } = this.#options;
    if (timeoutMs > 0) {
      this.#process?.signal(this.#stopSignal);
      using limit = deadline({ clock, timeoutMs, ...(signal && { signal }) });
      const isOver = await Promise.race([
        this.ended.then(() => true),
        aborted(limit.signal).then(() => false),
      ]);
      if (isOver) return;
      signal?.throwIfAborted();
    }
    this.#process?.signal(signalKill);
    await orAborted(this.ended, signal);
  }

  /** Goes on in a new file. Rejects when none can be made. */
  async reopenLog(): Promise<void> {
    if (!this.isRunning) throw new CriError('FAILED_PRECONDITION', `container ${this.id} is not running`);
    await this.#log?.reopen();
  }

  async #end(exitCode: number, message: string, reason: string): Promise<void> {
    await this.io.close();
    await this.#log?.close();
    this.#exitCode = exitCode;
    this.#message = message;
    this.#reason = reason;
    this.#finishedAtNs = this.#options.nowNs();
    this.#state = ContainerState.CONTAINER_EXITED;
    this.#ended.resolve();
    this.#options.onChanged(this);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function providedContainer(id: string, { pod, config, image }: ContainerRecordOptions): ProvidedContainer {
  const { metadata, command, args, workingDir, tty } = config;
  const text = new TextDecoder();
  return {
    ...{ id, name: metadata?.name ?? '', pod, image, command, args, workingDir, config },
    environment: Object.fromEntries(config.envs.map(({ key, value }) => [key, text.decode(value)])),
    mounts: config.mounts.map(({ hostPath, containerPath, readonly }) => ({
      ...{ hostPath, containerPath, isReadOnly: readonly },
    })),
    hasTerminal: tty,
  };
}
