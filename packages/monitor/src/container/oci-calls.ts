import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '@wherry/clock';
import { ConsoleSocket, closeDescriptor } from '@wherry/linux';
import type { CreateContainerRequest, OciResources } from '@wherry/monitor-api';
import type { Keeper } from '../keeper/keeper.ts';
import { limits } from '../limits.ts';
import { receiveTerminal } from '../process/exec-process.ts';
import { readPidFile } from '../process/oci-arguments.ts';
import type { OciCall, OciLaunch } from '../process/oci-runtime.ts';
import type { BundleGroup } from './cgroup-of.ts';
import type { ContainerDependencies } from './dependencies.ts';
import type { ContainerStdio } from './streams/stdio.ts';

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
   * Creates it under a keeper, and starts it in the same call if so asked, on the given streams. Gives back its first
   * process.
   */
  async launch(stdio: ContainerStdio, keep: (launch: OciLaunch) => Keeper): Promise<number> {
    const { bundle, start, terminal } = this.#request;
    const verb = start ? ['run', '--detach'] : ['create'];
    const command = [...verb, '--bundle', bundle, '--pid-file', this.#pidPath];
    if (terminal) await this.#launchWithTerminal(stdio, command, keep);
    else await this.#launchWithPipes(stdio, command, keep);
    return this.launchedPid();
  }

  /** The first process that a launch has brought up. */
  launchedPid(): number {
    return readPidFile(this.#pidPath);
  }

  start(): Promise<void> {
    return this.#call(['start']);
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

  async #launchWithPipes(
    stdio: ContainerStdio,
    command: string[],
    keep: (launch: OciLaunch) => Keeper,
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
        return keeper.runtimeEnded();
      };
      await this.#call(command, { stdio: [stdin, stdout, stderr], run });
    } finally {
      release();
    }
  }

  async #launchWithTerminal(
    stdio: ContainerStdio,
    command: string[],
    keep: (launch: OciLaunch) => Keeper,
  ): Promise<void> {
    const { socketFolder, poller, clock } = this.#dependencies;
    const console = new ConsoleSocket(join(socketFolder, `c-${process.pid}-${nextConsole++}`), poller);
    try {
      const run = (launch: OciLaunch) => keep(launch).runtimeEnded();
      await this.#call([...command, '--console-socket', console.path], { run });
      stdio.openTerminal(await receiveTerminal(console, clock));
    } finally {
      console.close();
    }
  }

  /** Who makes its control group is said once: later calls find it in what the first one left. */
  #call(words: string[], more: Pick<OciCall, 'stdio' | 'run'> = {}): Promise<void> {
    const { id, ociRuntime: wanted } = this.#request;
    const globals = more.run && this.#group.asksSystemd ? ['--systemd-cgroup'] : [];
    const { ociRuntime } = this.#dependencies;
    const logPath = join(this.#folder, `oci-${words[0]}.log`);
    return ociRuntime.withProgram(wanted).call({ arguments: [...words, id], globals, logPath, ...more });
  }
}
