import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinuxContainerResources } from '@wherry/cri';
import { foldersAt, groupPathOf, hasCode, writeFileAtomic } from '@wherry/linux';
import { type MonitorClient, MonitorError } from '@wherry/monitor-api';
import { messageOf, RuntimeError } from '../errors.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import type { OciLinuxResources, OciSpec } from '../spec/oci-spec.ts';
import { mergeResources, ociResources } from '../spec/resources.ts';
import type { ContainerLifecycle } from './container-lifecycle.ts';
import type { Container } from './container-record.ts';
import { bundleFile, type ContainerStore, hasEnded } from './container-store.ts';
import { setOomScore } from './oom-score.ts';
import type { ScopeBounds } from './scope-bounds.ts';

/** What an updater works with. */
export interface ContainerUpdaterOptions {
  store: ContainerStore;
  monitor: MonitorClient;
  machine: MachineAbilities;
  lifecycle: ContainerLifecycle;
  scopeBounds: ScopeBounds;
}

/** Changes the limits of containers. */
export class ContainerUpdater {
  readonly #options: ContainerUpdaterOptions;

  constructor(options: ContainerUpdaterOptions) {
    this.#options = options;
  }

  /** Changes what the request says, and what plug-ins make of it. */
  async update(id: string, change: LinuxContainerResources): Promise<void> {
    const { store, lifecycle } = this.#options;
    const container = store.find(id);
    if (lifecycle.isIdle || hasEnded(container)) return this.apply(id, change);
    await this.apply(container.id, await lifecycle.updating(container, change));
    await lifecycle.updated(container);
  }

  /**
   * Live when the container runs, in its configuration when it has not started, in its status alone when it has ended, also
   * meanwhile. All or nothing.
   */
  async apply(id: string, change: LinuxContainerResources): Promise<void> {
    const { store, machine, scopeBounds } = this.#options;
    const container = store.find(id);
    const note = () => store.update(container.id, { resources: mergeResources(container.resources, change) });
    if (hasEnded(container)) return void note();
    const resources = ociResources(change, machine.cgroups);
    const score = this.#newScore(container, change);
    const undo: (() => void | Promise<void>)[] = [];
    try {
      if (container.state === 'running') await this.#changeLive(container, resources, { score, undo });
      else await this.#rewriteBundle(container, resources, { score, undo });
      note();
    } catch (error) {
      if (this.#hasEndedMeanwhile(container, error)) return void note();
      await takeBack(undo, error);
      throw error;
    }
    if (container.state === 'running') await scopeBounds.keep(container.cgroupsPath);
  }

  /** The monitor may know it before the record does. */
  #hasEndedMeanwhile({ id, state }: Container, error: unknown): boolean {
    if (state !== 'running') return false;
    const now = this.#options.store.get(id);
    const isSaid = error instanceof MonitorError && error.code === 'FAILED_PRECONDITION';
    return isSaid || (now !== undefined && hasEnded(now));
  }

  async #changeLive(
    container: Container,
    resources: OciLinuxResources,
    { score, undo }: UpdateStep,
  ): Promise<void> {
    const { monitor, machine } = this.#options;
    const { id, cgroupsPath } = container;
    if (score !== undefined)
      undo.push(setOomScore(foldersAt(machine.layout, groupPathOf(cgroupsPath)), score));
    await monitor.call('container.update', { id, resources });
    const before = ociResources(container.resources, machine.cgroups);
    undo.push(() => monitor.call('container.update', { id, resources: before }).then(() => {}));
  }

  /** The score that an update asks for, as far as this machine can set it; 0 means "as it is" in CRI. */
  #newScore({ resources }: Container, { oomScoreAdj }: LinuxContainerResources): number | undefined {
    if (oomScoreAdj === 0 || oomScoreAdj === resources?.oomScoreAdj) return undefined;
    return Math.max(oomScoreAdj, this.#options.machine.oomScoreAdjMin);
  }

  async #rewriteBundle(
    container: Container,
    resources: OciLinuxResources,
    { score, undo }: UpdateStep,
  ): Promise<void> {
    const path = join(this.#options.store.folder.path(container.id), bundleFile);
    try {
      const text = await readFile(path, 'utf8');
      const spec = JSON.parse(text) as OciSpec;
      const before = spec.linux.resources;
      spec.linux.resources = {
        ...before,
        ...resources,
        cpu: { ...before.cpu, ...resources.cpu },
        memory: { ...before.memory, ...resources.memory },
      };
      if (score !== undefined) spec.process.oomScoreAdj = score;
      await writeFileAtomic(path, JSON.stringify(spec));
      undo.push(() => writeFileAtomic(path, text));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      throw new RuntimeError('NOT_FOUND', `container ${container.id} was removed meanwhile`, {
        cause: error,
      });
    }
  }
}

/** One step of an update: what it notes takes it back. */
interface UpdateStep {
  score: number | undefined;
  undo: (() => void | Promise<void>)[];
}

/** The last first. What can't be taken back is told along with what failed. */
async function takeBack(undo: readonly (() => void | Promise<void>)[], failed: unknown): Promise<void> {
  for (const step of undo.toReversed()) {
    try {
      await step();
    } catch (error) {
      const words = `${messageOf(failed)}; what was changed before could not be taken back: ${messageOf(error)}`;
      throw new RuntimeError('INTERNAL', words, { cause: failed });
    }
  }
}
