import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '@wherry/clock';
import { ConsoleSocket, closeDescriptor } from '@wherry/linux';
import {
  type CheckpointFolders,
  type CreateContainerRequest,
  MonitorError,
  type OciResources,
} from '@wherry/monitor-api';
import { type CriuLog, criuSettings, requireCriu, withCriuErrors } from '../checkpoint/criu.ts';
import { keysOfFifos, takeStreamKeys, writeStreamKeys } from '../checkpoint/stream-keys.ts';
import type { Keeper } from '../keeper/keeper.ts';
import { limits } from '../limits.ts';
import { receiveTerminal } from '../process/exec-process.ts';
import { readPidFile } from '../process/oci-arguments.ts';
import type { OciCall, OciLaunch, OciRun } from '../process/oci-runtime.ts';
import type { BundleGroup } from './cgroup-of.ts';
import type { ContainerDependencies } from './dependencies.ts';
import { type ContainerStdio, fifosOf } from './streams/stdio.ts';

let nextConsole = 1;

/** What the OCI runtime does for one container. Everything rejects with `UNKNOWN` and the runtime's own words. */
export class OciCalls {
  readonly #dependencies: ContainerDependencies;
  readonly #request: CreateContainerRequest;
  readonly #folder: string;
  readonly #group: BundleGroup;

  constructor(
    dependencies: ContainerDependencies,
    made: { request: CreateContainerRequest; folder: string; group: BundleGroup },
  ) {
    this.#dependencies = dependencies;
    this.#request = made.request;
    this.#folder = made.folder;
    this.#group = made.group;
  }

  /**
   * Creates it under a keeper, and starts it or brings it back in the same call if so asked, on the given streams. Gives
   * back its first process.
   */
  async launch(stdio: ContainerStdio, keep: (launch: OciLaunch) => Keeper): Promise<number> {
    const { bundle, start, terminal, checkpoint } = this.#request;
    const verb = checkpoint ? restoring(checkpoint) : start ? ['run', '--detach'] : ['create'];
    const command = [...verb, '--bundle', bundle, '--pid-file', this.#pidPath];
    const environment = checkpoint && this.#restoreSettings(checkpoint);
    try {
      if (terminal) await this.#launchWithTerminal(stdio, command, keep, environment);
      else await this.#launchWithPipes(stdio, command, keep, environment);
    } catch (error) {
      throw checkpoint ? this.#criuFailure(error, checkpoint.workPath, 'restore.log') : error;
    }
    return this.launchedPid();
  }

  /** The first process that a launch has brought up. */
  launchedPid(): number {
    return readPidFile(this.#pidPath);
  }

  start(): Promise<void> {
    return this.#call(['start']);
  }

  /** Writes the state of its processes to disk. They go on as they were; `spawned` is told the program that does it. */
  async checkpoint(
    { imagePath, workPath }: CheckpointFolders,
    spawned: (pid: number) => void,
  ): Promise<void> {
    const keys = keysOfFifos(fifosOf(this.#folder, this.#request));
    const lines = [...new Set(keys)].filter((key) => key !== '').map((key) => `external ${key}`);
    const folders = ['--image-path', imagePath, '--work-path', workPath];
    try {
      await this.#call(['checkpoint', '--leave-running', ...folders], {
        environment: criuSettings(workPath, lines),
        onSpawned: spawned,
        timeoutMs: limits.checkpointTimeoutMs,
      });
    } catch (error) {
      throw this.#criuFailure(error, workPath, 'dump.log');
    }
    writeStreamKeys(imagePath, keys);
  }

  /** Stops its processes where they are. */
  pause(): Promise<void> {
    return this.#call(['pause']);
  }

  /** Lets them go on. */
  resume(): Promise<void> {
    return this.#call(['resume']);
  }

  async update(resources: OciResources): Promise<void> {
    const path = join(this.#folder, 'resources.json');
    writeFileSync(path, JSON.stringify(resources), { mode: 0o600 });
    await this.#call(['update', '--resources', path]);
  }

  /**
   * Deletes what the OCI runtime has of it. What still dies in the control group (a process in a long system call) makes
   * it fail: it is asked again, after `kill`.
   */
  async delete(kill: () => void): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#call(['delete', '--force']);
        return;
      } catch (error) {
        if (/does not exist/.test(String(error))) return;
        if (attempt === limits.deleteAttempts) throw error;
        kill();
        await sleep({ clock: this.#dependencies.clock, delayMs: limits.deleteRetryMs });
      }
    }
  }

  get #pidPath(): string {
    return join(this.#folder, 'pid');
  }

  #restoreSettings({ imagePath, workPath }: CheckpointFolders): Record<string, string> {
    requireCriu(this.#request.id);
    const keys = takeStreamKeys(imagePath);
    return criuSettings(
      workPath,
      keys.flatMap((key, descriptor) => (key === '' ? [] : [`inherit-fd fd[${descriptor}]:${key}`])),
    );
  }

  #criuFailure(error: unknown, workPath: string, log: CriuLog): MonitorError {
    const failure = withCriuErrors(error, workPath, log);
    if (!/unknown command|CRIU support not available/i.test(failure.message)) return failure;
    const { ociRuntime } = this.#dependencies;
    const program = this.#request.ociRuntime ?? ociRuntime.program;
    return new MonitorError(
      'UNKNOWN',
      `"${program}" is built without CRIU: it can neither checkpoint nor restore containers; use runc`,
    );
  }

  async #launchWithPipes(
    stdio: ContainerStdio,
    command: string[],
    keep: (launch: OciLaunch) => Keeper,
    environment?: Record<string, string>,
  ): Promise<void> {
    const theirs = stdio.openPipes({ stdin: this.#request.stdin });
    const release = () => {
      for (const descriptor of theirs.splice(0)) if (descriptor !== 'ignore') closeDescriptor(descriptor);
    };
    const [stdin = 'ignore', stdout = 'ignore', stderr = 'ignore'] = theirs;
    try {
      const run = (launch: OciLaunch) => {
        const keeper = keep(launch);
        release();
        return underKeeper(keeper);
      };
      await this.#call(command, { stdio: [stdin, stdout, stderr], run, environment });
    } finally {
      release();
    }
  }

  async #launchWithTerminal(
    stdio: ContainerStdio,
    command: string[],
    keep: (launch: OciLaunch) => Keeper,
    environment?: Record<string, string>,
  ): Promise<void> {
    const { socketFolder, poller, clock } = this.#dependencies;
    const console = new ConsoleSocket(join(socketFolder, `c-${process.pid}-${nextConsole++}`), poller);
    try {
      const run = (launch: OciLaunch) => underKeeper(keep(launch));
      await this.#call([...command, '--console-socket', console.path], { run, environment });
      stdio.openTerminal(await receiveTerminal(console, clock));
    } finally {
      console.close();
    }
  }

  /** Who makes its control group is said once: later calls find it in what the first one left. */
  #call(words: string[], more: Omit<OciCall, 'arguments' | 'globals' | 'logPath'> = {}): Promise<void> {
    const { id, ociRuntime: wanted } = this.#request;
    const globals = more.run && this.#group.asksSystemd ? ['--systemd-cgroup'] : [];
    const { ociRuntime } = this.#dependencies;
    const logPath = join(this.#folder, `oci-${words[0]}.log`);
    return ociRuntime.withProgram(wanted).call({ arguments: [...words, id], globals, logPath, ...more });
  }
}

/** The OCI runtime as a keeper runs it. */
const underKeeper = (keeper: Keeper): OciRun => ({ identity: keeper.identity, ended: keeper.runtimeEnded() });

const restoring = ({ imagePath, workPath }: CheckpointFolders): string[] => [
  ...['restore', '--detach', '--image-path', imagePath, '--work-path', workPath],
];
