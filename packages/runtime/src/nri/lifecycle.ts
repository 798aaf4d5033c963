import type { Clock } from '@wherry/clock';
import type { Input, LinuxContainerResources } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';
import { withEdits } from '../cdi/apply-edits.ts';
import type { DeviceFolders } from '../cdi/device-folders.ts';
import { wantedDevices } from '../cdi/device-name.ts';
import type { ContainerLifecycle, MadeContainer } from '../container/container-lifecycle.ts';
import type { Container } from '../container/container-record.ts';
import { type ContainerStore, hasEnded } from '../container/container-store.ts';
import { boundedWords, messageOf, RuntimeError } from '../errors.ts';
import {
  type ContainerEviction,
  type ContainerUpdate,
  Event,
  type PluginMethods,
  type Container as SeenContainer,
  type PodSandbox as SeenPod,
} from '../generated/nri.ts';
import { limits } from '../limits.ts';
import type { PodLifecycle } from '../sandbox/pod-lifecycle.ts';
import { podUsers } from '../sandbox/pod-users.ts';
import type { Sandbox } from '../sandbox/sandbox-record.ts';
import type { SandboxStore } from '../sandbox/sandbox-store.ts';
import { type CgroupDriver, scopeAnnotations } from '../spec/cgroup-path.ts';
import type { MachineAbilities } from '../spec/machine.ts';
import { mergeResources } from '../spec/resources.ts';
import { adjustedBy, noAdjustment } from './adjustments.ts';
import { withAdjustment } from './apply-adjustment.ts';
import { Newcomers } from './newcomers.ts';
import { Owners } from './owners.ts';
import type { PlugIn, PlugInTimes } from './plug-in.ts';
import { PlugIns } from './plug-ins.ts';
import { claimsOf, criResources, toResources } from './resources.ts';
import { SyncGate } from './sync-gate.ts';
import { containerView, podView } from './views.ts';

/** What plug-ins work upon. */
export interface NriOptions {
  containers: ContainerStore;
  sandboxes: SandboxStore;
  devices: DeviceFolders;
  machine: MachineAbilities;
  cgroupDriver: CgroupDriver;
  clock: Clock;
  logger: Logger;
  times: PlugInTimes;
  runtimeVersion: string;
  /** Changes limits, without asking plug-ins again. */
  update(id: string, change: LinuxContainerResources): Promise<void>;
  /** Ends a container at once. */
  evict(id: string): Promise<void>;
}

type Subject = { pod: Input<SeenPod>; container: Input<SeenContainer> };

/** The Node Resource Interface: plug-ins are asked and told of pods and containers, one event after the other. */
export class Nri implements ContainerLifecycle, PodLifecycle {
  readonly #options: NriOptions;
  readonly #gate = new SyncGate();
  readonly #plugIns: PlugIns;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: NriOptions) {
    this.#options = options;
    const newcomers = new Newcomers({
      alone: (work) => this.#gate.alone(() => this.#inTurn(work)),
      whatThereIs: () => this.#whatThereIs(),
      letIn: async (add, updates) => {
        const wanted = bounded('updates', updates);
        add();
        await this.#apply(wanted);
      },
    });
    this.#plugIns = new PlugIns({
      ...options,
      updateContainers: ({ update, evict }) =>
        this.#inTurn(async () => {
          this.#evict(evict);
          return { failed: await this.#apply(bounded('updates', update)) };
        }),
      receive: (plugIn, add) => newcomers.receive(plugIn, add),
    });
  }

  get isIdle(): boolean {
    return this.#plugIns.list.length === 0;
  }

  listen(path: string): Promise<void> {
    return this.#plugIns.listen(path);
  }

  close(): Promise<void> {
    return this.#plugIns.close();
  }

  hold(): Promise<Disposable> {
    return this.#gate.hold();
  }

  async podRunning(sandbox: Sandbox): Promise<void> {
    const request = { pod: podView(sandbox) };
    try {
      await this.#tell(Event.RUN_POD_SANDBOX, 'runPodSandbox', () => request);
    } catch (error) {
      await this.podStopping(sandbox);
      await this.podRemoved(sandbox);
      throw error;
    }
  }

  podStopping(sandbox: Sandbox): Promise<void> {
    return this.#try(Event.STOP_POD_SANDBOX, 'stopPodSandbox', () => ({ pod: podView(sandbox) }));
  }

  podRemoved(sandbox: Sandbox): Promise<void> {
    return this.#try(Event.REMOVE_POD_SANDBOX, 'removePodSandbox', () => ({ pod: podView(sandbox) }));
  }

  podUpdating(sandbox: Sandbox, change: Parameters<PodLifecycle['podUpdating']>[1]): Promise<void> {
    return this.#tell(Event.UPDATE_POD_SANDBOX, 'updatePodSandbox', () => ({
      pod: podView(sandbox),
      overheadLinuxResources: toResources(change.overhead),
      linuxResources: toResources(change.resources),
    }));
  }

  podUpdated(sandbox: Sandbox): Promise<void> {
    return this.#try(Event.POST_UPDATE_POD_SANDBOX, 'postUpdatePodSandbox', () => ({
      pod: podView(sandbox),
    }));
  }

  adjust(made: MadeContainer, sandbox: Sandbox): Promise<MadeContainer> {
    return this.#inTurn(async () => {
      const { machine } = this.#options;
      const { id } = made.container;
      const pod = podView(sandbox);
      const owners = new Owners();
      const updates: ContainerUpdate[] = [];
      const asked: PlugIn[] = [];
      let adjust = noAdjustment();
      let spec = made.spec;
      for (const plugIn of this.#wanting(Event.CREATE_CONTAINER)) {
        asked.push(plugIn);
        const container = containerView(made.container, spec);
        const answer = await plugIn.ask('createContainer', { pod, container });
        if (!answer) continue;
        try {
          if (answer.adjust) adjust = adjustedBy(adjust, answer.adjust, { id, plugIn: plugIn.name, owners });
          spec = withAdjustment(made.spec, adjust, machine);
          updates.push(...claimed(answer.update, { id, plugIn: plugIn.name, owners }));
          this.#evict(answer.evict);
        } catch (error) {
          throw ofPlugIn(plugIn, error);
        }
      }
      const container = containerView(made.container, made.spec);
      const plugins = asked.map(({ base, index }) => ({ name: base, index }));
      const proposal = { pod, container, adjust, update: updates, owners: owners.toMessage(), plugins };
      await Promise.all(
        this.#wanting(Event.VALIDATE_CONTAINER_ADJUSTMENT).map((plugIn) => this.#validate(plugIn, proposal)),
      );
      await this.#apply(updates);
      const names = wantedDevices(
        { cdiDevices: adjust.cdiDevices, annotations: {} },
        { hasOwnUsers: podUsers(sandbox.config) !== null },
      );
      return this.#adjusted(made, withEdits(spec, await this.#options.devices.editsOf(names)), adjust);
    });
  }

  async undone(made: MadeContainer, sandbox: Sandbox): Promise<void> {
    const request = () => ({ pod: podView(sandbox), container: containerView(made.container, made.spec) });
    await this.#try(Event.STOP_CONTAINER, 'stopContainer', request);
    await this.#try(Event.REMOVE_CONTAINER, 'removeContainer', request);
  }

  created(container: Container): Promise<void> {
    return this.#try(Event.POST_CREATE_CONTAINER, 'postCreateContainer', () => this.#subject(container));
  }

  starting(container: Container): Promise<void> {
    return this.#tell(Event.START_CONTAINER, 'startContainer', () => this.#subject(container));
  }

  started(container: Container): Promise<void> {
    return this.#try(Event.POST_START_CONTAINER, 'postStartContainer', () => this.#subject(container));
  }

  async updating(container: Container, change: LinuxContainerResources): Promise<LinuxContainerResources> {
    if (this.isIdle) return change;
    return this.#inTurn(async () => {
      const { id } = container;
      const owners = new Owners();
      const others: ContainerUpdate[] = [];
      let wanted = change;
      for (const plugIn of this.#wanting(Event.UPDATE_CONTAINER)) {
        const request = { ...(await this.#subject(container)), linuxResources: toResources(wanted) };
        const answer = await plugIn.ask('updateContainer', request);
        if (!answer) continue;
        try {
          for (const update of claimed(answer.update, { plugIn: plugIn.name, owners })) {
            if (update.containerId !== id) others.push(update);
            else if (update.linux?.resources)
              wanted = mergeResources(wanted, criResources(update.linux.resources));
          }
          this.#evict(answer.evict);
        } catch (error) {
          throw ofPlugIn(plugIn, error);
        }
      }
      await this.#apply(others);
      return wanted;
    });
  }

  updated(container: Container): Promise<void> {
    return this.#try(Event.POST_UPDATE_CONTAINER, 'postUpdateContainer', () => this.#subject(container));
  }

  /** A container has ended; what plug-ins want of others then is done. */
  async stopped(container: Container): Promise<void> {
    if (this.isIdle) return;
    await this.#inTurn(async () => {
      const owners = new Owners();
      const request = await this.#subject(container);
      const updates: ContainerUpdate[] = [];
      for (const plugIn of this.#wanting(Event.STOP_CONTAINER)) {
        const answer = await plugIn.ask('stopContainer', request);
        if (answer) updates.push(...claimed(answer.update, { plugIn: plugIn.name, owners }));
      }
      await this.#apply(updates);
    }).catch((error) => this.#warn('stopContainer', error));
  }

  async removed(container: Container): Promise<void> {
    if (!hasEnded(container)) await this.stopped(container);
    await this.#try(Event.REMOVE_CONTAINER, 'removeContainer', () => this.#subject(container));
  }

  /** The container with its adjusted configuration, and what its record says of it. */
  #adjusted(
    { container }: MadeContainer,
    spec: MadeContainer['spec'],
    adjust: ReturnType<typeof noAdjustment>,
  ): MadeContainer {
    const { cgroupsPath, resources } = adjust.linux;
    const own = { memory: undefined, ...resources };
    const changes = resources
      ? criResources({
          ...resources,
          memory: own.memory && { ...own.memory, reservation: undefined },
          pids: undefined,
          devices: [],
        })
      : undefined;
    return {
      container: {
        ...container,
        resources: changes ? mergeResources(container.resources, changes) : container.resources,
        ...(cgroupsPath !== '' && { cgroupsPath: this.#checkedGroup(cgroupsPath) }),
      },
      spec:
        cgroupsPath === ''
          ? spec
          : { ...spec, annotations: { ...spec.annotations, ...scopeAnnotations(cgroupsPath).annotations } },
    };
  }

  #checkedGroup(path: string): string {
    const isSystemd = this.#options.cgroupDriver === 'systemd';
    const isGood = isSystemd
      ? path.split(':').length === 3
      : /^\/[^:]*$/.test(path) && !path.split('/').includes('..');
    if (isGood) return path;
    const want = isSystemd ? 'SLICE:PREFIX:NAME' : 'an absolute path';
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `linux.cgroups_path "${path}" of an NRI plug-in: want ${want}`,
    );
  }

  async #validate(plugIn: PlugIn, proposal: object): Promise<void> {
    const answer = await plugIn.ask('validateContainerAdjustment', proposal);
    if (!answer)
      throw new RuntimeError(
        'UNAVAILABLE',
        `NRI plug-in "${plugIn.name}" went before it said whether the container may be made`,
      );
    if (!answer.reject) return;
    const why = boundedWords(answer.reason) || 'no reason given';
    throw new RuntimeError(
      'FAILED_PRECONDITION',
      `NRI plug-in "${plugIn.name}" refuses the container: ${why}`,
    );
  }

  async #whatThereIs(): Promise<{ pods: Input<SeenPod>[]; containers: Input<SeenContainer>[] }> {
    const { sandboxes, containers } = this.#options;
    const there = containers.list().filter((container) => !hasEnded(container));
    const seen = await Promise.all(
      there.map(async (container) => (await this.#subject(container)).container),
    );
    return { pods: sandboxes.list().map(podView), containers: seen };
  }

  async #subject(container: Container): Promise<Subject> {
    const { containers, sandboxes } = this.#options;
    const current = containers.get(container.id) ?? container;
    const sandbox = sandboxes.get(container.sandboxId);
    const spec = await containers.specOf(container).catch(() => undefined);
    return {
      pod: sandbox ? podView(sandbox) : { id: container.sandboxId },
      container: containerView(current, spec),
    };
  }

  #wanting(event: number): PlugIn[] {
    return this.#plugIns.list.filter((plugIn) => plugIn.wants(event) && !plugIn.isGone);
  }

  async #tell(
    event: number,
    method: keyof PluginMethods,
    request: () => object | Promise<object>,
  ): Promise<void> {
    if (this.isIdle) return;
    await this.#inTurn(async () => {
      const listeners = this.#wanting(event);
      if (listeners.length === 0) return;
      const message = await request();
      for (const plugIn of listeners) await plugIn.ask(method, message);
    });
  }

  /** As {@link #tell}, for what no plug-in can hinder. */
  #try(event: number, method: keyof PluginMethods, request: () => object | Promise<object>): Promise<void> {
    return this.#tell(event, method, request).catch((error) => this.#warn(method, error));
  }

  #warn(method: string, error: unknown): void {
    this.#options.logger.warn('an NRI plug-in failed', { method, error: messageOf(error) });
  }

  /** Does what plug-ins want of containers that are there; answers what could not be done and was not to be passed over. */
  async #apply(updates: readonly ContainerUpdate[]): Promise<ContainerUpdate[]> {
    const failed: ContainerUpdate[] = [];
    for (const update of updates) {
      const resources = update.linux?.resources;
      if (!resources || !this.#options.containers.get(update.containerId)) continue;
      try {
        await this.#options.update(update.containerId, criResources(resources));
      } catch (error) {
        if (update.ignoreFailure) continue;
        failed.push(update);
        this.#warn('update', error);
      }
    }
    return failed;
  }

  /** Beside everything else: the end of a container is an event of its own. */
  #evict(evictions: readonly ContainerEviction[]): void {
    for (const { containerId, reason } of bounded('evictions', evictions)) {
      this.#options.logger.info('an NRI plug-in evicts a container', {
        container: boundedWords(containerId),
        reason: boundedWords(reason),
      });
      this.#options.evict(containerId).catch((error) => this.#warn('evict', error));
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

/** Updates that no other plug-in has a say in. Throws `RuntimeError` for one of the container that is being made. */
function claimed(
  updates: readonly ContainerUpdate[],
  { id, plugIn, owners }: { id?: string; plugIn: string; owners: Owners },
): ContainerUpdate[] {
  return bounded('updates', updates).filter((update) => {
    const { containerId, linux, ignoreFailure } = update;
    if (containerId === id)
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `it asks for an update of container ${id}, which is being made`,
      );
    try {
      for (const [field, key] of linux?.resources ? claimsOf(linux.resources) : [])
        owners.claim(containerId, plugIn, field, key);
      return true;
    } catch (error) {
      if (ignoreFailure) return false;
      throw error;
    }
  });
}

/** What one message may want of other containers: each is a run of the OCI runtime, and the next event waits for all. */
function bounded<Wish>(what: string, wishes: readonly Wish[]): readonly Wish[] {
  if (wishes.length <= limits.nriWishesMax) return wishes;
  throw new RuntimeError(
    'RESOURCE_EXHAUSTED',
    `${wishes.length} ${what} in one message; want at most ${limits.nriWishesMax}`,
  );
}

function ofPlugIn({ name }: PlugIn, error: unknown): unknown {
  if (!(error instanceof RuntimeError)) return error;
  return new RuntimeError(error.code, `NRI plug-in "${name}": ${error.message}`, { cause: error });
}
