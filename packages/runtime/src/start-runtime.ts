import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { keepAlive, sleep } from '@wherry/clock';
import { createCriServer, requestsOf } from '@wherry/cri';
import { ImageAdminServer } from '@wherry/images';
import { createGroup, currentBoot, foldersAt, makePrivateFolder, usualOciRuntime } from '@wherry/linux';
import manifest from '../package.json' with { type: 'json' };
import { assemble, type RuntimeParts } from './assemble.ts';
import { messageOf } from './errors.ts';
import { gateHandlers } from './fields/gate.ts';
import { recoverContainers, recoverSandboxes } from './recovery.ts';
import { type RuntimeOptions, settingsOf } from './runtime-options.ts';
import { guardHandlers } from './service/guard.ts';
import { imageHandlers } from './service/image-handlers.ts';
import { runtimeHandlers } from './service/runtime-handlers.ts';
import { tracedHandlers } from './service/traced-handlers.ts';
import { probeAbilities } from './spec/machine.ts';
import { findUserNamespaceProblem } from './volumes/user-namespace-probe.ts';

/** A running runtime. */
export interface Runtime {
  readonly socketPath: string;
  readonly adminSocketPath: string;
  readonly bridgeName: string;
  /**
   * Whether a look-up of a host path hangs in the kernel, for a file server that does not answer. Such a thread lets no
   * process exit in order: after `close`, SIGKILL ends it.
   */
  readonly isStuck: boolean;
  /** Stops serving. Containers, networks and mounts stay; a runtime started on the same folder takes them up. */
  close(): Promise<void>;
}

/** How long a start waits for the monitor's list: without it, states are those of the records. */
const firstListPatienceMs = 3_000;
/** Time before what a crash left is tried to be cleared again. */
const strayRetryMs = 5_000;

/** Starts a CRI runtime; it serves when the promise resolves. Rejects when its folder or sockets cannot be used. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  // While it waits for a monitor there may be nothing but timers, which keep no process alive.
  using _alive = keepAlive();
  // Folders and files that containers see must be readable for every user, whatever the caller's mask is.
  process.umask(0o022);
  const settings = settingsOf(options);
  const { socketPath, adminSocketPath, bridgeName, logger } = settings;
  makePrivateFolder(settings.dataDir);
  const machine = await probeAbilities({
    ociRuntime: settings.ociRuntime ?? usualOciRuntime() ?? 'runc',
    runtimeHandlers: settings.runtimeHandlers,
    findUserNamespaceProblem: () => findUserNamespaceProblem(settings.dataDir),
  });
  // systemd makes slices with the first of their scopes, and takes away what it does not know of.
  if (settings.cgroupDriver === 'cgroupfs') createGroup(foldersAt(machine.layout, settings.cgroupRoot));
  const parts = assemble(settings, machine, currentBoot());
  const opened = new AsyncDisposableStack();
  try {
    await serve(parts, opened);
  } catch (error) {
    // Nothing stays of a start that fails; what it failed of counts, not how that goes.
    await opened.disposeAsync().catch(() => {});
    throw error;
  }
  logger.info('the runtime serves', { socket: socketPath, bridge: bridgeName });
  return {
    socketPath,
    adminSocketPath,
    bridgeName,
    get isStuck() {
      return parts.hostPaths.busy > 0;
    },
    async close() {
      using _alive = keepAlive();
      await opened.disposeAsync();
      await settings.tracer.close();
    },
  };
}

/** Takes up what there is, and listens. What is put on `opened` is closed in the opposite order. */
async function serve(parts: RuntimeParts, opened: AsyncDisposableStack): Promise<void> {
  const { settings, nri } = parts;
  const { socketPath, adminSocketPath, nriSocketPath, logger } = settings;
  for (const part of [parts.systemd, parts.network, parts.hostPaths, parts.images, parts.monitor])
    opened.defer(() => part.close());
  // It takes a moment to compile, beside the rest of the start; the first container waits for it.
  void parts.profiles.atHand();
  await parts.registries.check(logger);
  await parts.images.open();
  let clearing: Clearing | undefined;
  opened.defer(async () => {
    clearing?.end();
    await clearing?.done;
  });
  opened.defer(() => parts.follower.close());
  clearing = await recover(parts);

  const server = createServer(parts);
  const admin = new ImageAdminServer({ ...parts, store: parts.images });
  opened.defer(() => Promise.all([server.close(), admin.close(), nri.close()]).then(() => {}));
  for (const path of [adminSocketPath, socketPath])
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await admin.listen(adminSocketPath);
  if (nriSocketPath !== undefined) await nri.listen(nriSocketPath);
  await server.listen(socketPath);
}

/** What a crash left is being cleared. */
interface Clearing {
  done: Promise<void>;
  end(): void;
}

/** Takes up what an earlier run left; what has no owner is cleared in the background. */
async function recover(parts: RuntimeParts): Promise<Clearing> {
  const { sandboxStore, containerStore, network, follower, settings } = parts;
  const { logger } = settings;
  const bootId = currentBoot();
  const strayPods = await recoverSandboxes({
    store: sandboxStore,
    network,
    usesCni: settings.cni !== undefined,
    bootId,
    logger,
  });
  const strayContainers = recoverContainers({
    store: containerStore,
    sandboxes: sandboxStore,
    tracker: parts.tracker,
    certainty: parts.certainty,
    bootId,
    logger,
  });
  await follower.start(firstListPatienceMs);
  await parts.images.collectGarbage();
  const { sandboxes, containers } = parts;
  const strays = [
    ...strayContainers.map((id): Stray => ({ id, discard: () => containers.discard(id) })),
    ...strayPods.map((id): Stray => ({ id, discard: () => sandboxes.discard(id) })),
  ];
  const abort = new AbortController();
  const end = () => abort.abort(new Error('the runtime is stopping'));
  return { done: clearStrays(strays, settings, abort.signal), end };
}

/** What a crash left without a record. */
interface Stray {
  id: string;
  discard(): Promise<void>;
}

/** Tries again what could not be cleared, as while no monitor answers, until nothing is left. */
async function clearStrays(
  strays: readonly Stray[],
  { logger, clock }: RuntimeParts['settings'],
  signal: AbortSignal,
): Promise<void> {
  let left = strays;
  while (left.length > 0 && !signal.aborted) {
    const stays: Stray[] = [];
    for (const stray of left) {
      await stray.discard().catch((error) => {
        logger.warn('what a crash left was not cleared', { id: stray.id, error: messageOf(error) });
        stays.push(stray);
      });
    }
    left = stays;
    if (left.length > 0) await sleep({ clock, delayMs: strayRetryMs, signal }).catch(() => {});
  }
}

function createServer(parts: RuntimeParts) {
  const { settings, images, puller, machine } = parts;
  const { dataDir, bridgeName, cgroupRoot, cgroupDriver, logger, tracer } = settings;
  const config = JSON.stringify({ dataDir, stateDir: dataDir, bridgeName, cgroupRoot, cgroupDriver });
  const runtime = runtimeHandlers({ ...parts, version: manifest.version, info: () => ({ config }) });
  const pull: typeof puller.pull = (name, options) => puller.pull(name, options);
  const image = imageHandlers({ images, clock: settings.clock, pull });
  const guarded = <Handlers extends object>(handlers: Handlers, service: Parameters<typeof requestsOf>[0]) =>
    guardHandlers(gateHandlers(handlers, requestsOf(service), machine), logger);
  return createCriServer({
    runtime: tracedHandlers(guarded(runtime, 'RuntimeService'), 'runtime.v1.RuntimeService', tracer),
    images: tracedHandlers(guarded(image, 'ImageService'), 'runtime.v1.ImageService', tracer),
  });
}
