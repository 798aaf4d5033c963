import { join } from 'node:path';
import { closeDescriptor, type ProcessIdentity } from '@wherry/linux';
import type { CreateContainerRequest } from '@wherry/monitor-api';
import { InputHolder } from '../keeper/input-holder.ts';
import { Keeper, makeKeeperPipe } from '../keeper/keeper.ts';
import type { KeptExit } from '../keeper/report.ts';
import type { OciLaunch } from '../process/oci-runtime.ts';
import type { ContainerDependencies } from './dependencies.ts';
import { openHeld } from './streams/stdio.ts';

/** The processes that keep one container for later monitors: its keeper, and what holds its input. */
export class Keeping {
  readonly #dependencies: ContainerDependencies;
  readonly #folder: string;
  #keeper: Keeper | null = null;
  #inputHolder: InputHolder | null = null;

  /** `folder` is the container's own. */
  constructor(dependencies: ContainerDependencies, folder: string) {
    this.#dependencies = dependencies;
    this.#folder = folder;
  }

  /** Ids of those that are there. */
  get pids(): number[] {
    return [this.#keeper, this.#inputHolder].flatMap((keeper) => (keeper ? [keeper.identity.pid] : []));
  }

  /** Makes what a keeper tells by, in a new container's folder. */
  makePipe(): void {
    makeKeeperPipe(this.#path);
  }

  /** Starts the keeper, with the OCI runtime under it. */
  start(launch: OciLaunch, request: CreateContainerRequest): Keeper {
    const { keeperProgram: program } = this.#dependencies;
    const held = openHeld(this.#folder, request);
    try {
      this.#keeper = Keeper.start({ program, path: this.#path, held, tools: this.#dependencies }, launch);
      return this.#keeper;
    } finally {
      for (const descriptor of held) closeDescriptor(descriptor);
    }
  }

  /** Starts what holds the input; null when that is there already. */
  holdInput(descriptor: number): ProcessIdentity | null {
    if (this.#inputHolder) return null;
    this.#inputHolder = InputHolder.start(this.#dependencies.keeperProgram, descriptor, this.#dependencies);
    return this.#inputHolder.identity;
  }

  /** Takes on the keeper of an earlier monitor, if there is one. */
  async find(): Promise<Keeper | null> {
    this.#keeper = await Keeper.find(this.#path, this.#dependencies);
    return this.#keeper;
  }

  /** Takes on what holds the input since an earlier monitor. Gives back whether it is there. */
  findInput(identity: ProcessIdentity | null): boolean {
    this.#inputHolder = identity && InputHolder.find(identity, this.#dependencies);
    return this.#inputHolder !== null;
  }

  /** A copy of the input that is held, the caller's own; null when nothing holds one. */
  copyInput(): number | null {
    return this.#inputHolder?.copy() ?? null;
  }

  /** How a process of the container ended, if the keeper has seen it. */
  exitOf(pid: number): KeptExit | null {
    return this.#keeper?.exitOf(pid) ?? null;
  }

  /** Lets the input end. */
  endInput(): void {
    this.#inputHolder?.end();
  }

  /** Ends all; `pid` is what the keeper has not reaped, if anything. */
  end(pid: number | null): void {
    this.endInput();
    this.#keeper?.end(pid);
    this.#inputHolder = null;
    this.#keeper = null;
  }

  /** Stops watching them; they stay for the next monitor. */
  abandon(): void {
    this.#keeper?.abandon();
    this.#inputHolder?.abandon();
  }

  get #path(): string {
    return join(this.#folder, 'keeper');
  }
}
