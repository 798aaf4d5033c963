import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LinuxContainerResources } from '@wherry/cri';
import { foldersAt, groupPathOf, hasCode } from '@wherry/linux';
import type { MonitorClient } from '@wherry/monitor-api';
import { RuntimeError } from '../errors.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import type { OciLinuxResources, OciSpec } from '../spec/oci-spec.ts';
import { mergeResources, ociResources } from '../spec/resources.ts';
import type { ContainerLifecycle } from './container-lifecycle.ts';
import type { Container } from './container-record.ts';
import { bundleFile, type ContainerStore, hasEnded } from './container-store.ts';
import { setOomScore } from './oom-score.ts';

/** What an updater works with. */
export interface ContainerUpdaterOptions {
  store: ContainerStore;
  monitor: MonitorClient;
  machine: MachineAbilities;
  lifecycle: ContainerLifecycle;
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
    if (lifecycle.isIdle) return this.apply(id, change);
    const container = store.find(id);
    if (hasEnded(container))
      throw new RuntimeError('FAILED_PRECONDITION', `container ${container.id} has ended`);
    await this.apply(container.id, await lifecycle.updating(container, change));
    await lifecycle.updated(container);
  }

  /** Live when the container runs, in its configuration when it has not started. All or nothing. */
  async apply(id: string, change: LinuxContainerResources): Promise<void> {
    const { store, monitor, machine } = this.#options;
    const container = store.find(id);
    if (hasEnded(container))
      throw new RuntimeError('FAILED_PRECONDITION', `container ${container.id} has ended`);
    const resources = ociResources(change, machine.cgroups);
    const score = this.#newScore(container, change);
    if (container.state === 'running') {
      if (score !== undefined)
        setOomScore(foldersAt(machine.layout, groupPathOf(container.cgroupsPath)), score);
      await monitor.call('container.update', { id: container.id, resources });
    } else await this.#rewriteBundle(container, resources, score);
    store.update(container.id, { resources: mergeResources(container.resources, change) });
  }

  /** The score that an update asks for, as far as this machine can set it; 0 means "as it is" in CRI. */
  #newScore({ resources }: Container, { oomScoreAdj }: LinuxContainerResources): number | undefined {
    if (oomScoreAdj === 0 || oomScoreAdj === resources?.oomScoreAdj) return undefined;
    return Math.max(oomScoreAdj, this.#options.machine.oomScoreAdjMin);
  }

  async #rewriteBundle(
    container: Container,
    resources: OciLinuxResources,
    score: number | undefined,
  ): Promise<void> {
    const path = join(this.#options.store.folder.path(container.id), bundleFile);
    try {
      const spec = JSON.parse(await readFile(path, 'utf8')) as OciSpec;
      const before = spec.linux.resources;
      spec.linux.resources = {
        ...before,
        ...resources,
        cpu: { ...before.cpu, ...resources.cpu },
        memory: { ...before.memory, ...resources.memory },
      };
      if (score !== undefined) spec.process.oomScoreAdj = score;
      await writeFile(path, JSON.stringify(spec));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      throw new RuntimeError('NOT_FOUND', `container ${container.id} was removed meanwhile`, {
        cause: error,
      });
    }
  }
}
