/** A CSI driver of folders, with a real gRPC server: what is published is its folder of the volume, mounted. */
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KubeClient } from '@wherry/client';
import { FakeClock } from '@wherry/clock';
import { createGrpcServer, type GrpcServer, type HandlersOf } from '@wherry/cri/grpc';
import { bindMount, unmount } from '@wherry/linux';
import { createLogger } from '@wherry/telemetry';
import { CsiDrivers } from '../src/execution/volumes/csi/csi-drivers.ts';
import { CsiLayout } from '../src/execution/volumes/csi/csi-layout.ts';
import { CsiVolumes } from '../src/execution/volumes/csi/csi-volumes.ts';
import {
  NodeServiceCapabilityRPCType as Capability,
  messages,
  type NodeGetInfoResponse,
  type NodeGetVolumeStatsResponse,
  type NodeMethods,
  services,
} from '../src/generated/csi.ts';
import * as registration from '../src/generated/plugin-registration.ts';

/** A call that the driver took. */
export interface DriverCall {
  method: string;
  request: { volumeId?: string; targetPath?: string; stagingTargetPath?: string } & Record<string, unknown>;
}

/** What the kubelet told of a registration. */
export interface RegistrationAnswer {
  pluginRegistered: boolean;
  error: string;
}

export class FolderDriver implements AsyncDisposable {
  readonly name: string;
  readonly folder: string;
  readonly calls: DriverCall[] = [];
  readonly answers: RegistrationAnswer[] = [];
  /** What the next calls of a method fail with; `wait` keeps a call until its caller goes. */
  readonly failures = new Map<string, ({ code: string } | 'wait')[]>();
  /** Answers the call that waits. */
  release: () => void = () => {};
  /** Volumes that a node can have. */
  volumesMax = 7;
  /** What else it says of its node. */
  info: Partial<NodeGetInfoResponse> = {};
  /** What it says that its volumes hold. */
  usage: NodeGetVolumeStatsResponse['usage'] = [
    { total: 1_000, used: 400, available: 600, unit: 1 },
    { total: 50, used: 20, available: 30, unit: 2 },
  ];
  capabilities: number[] = [Capability.STAGE_UNSTAGE_VOLUME, Capability.GET_VOLUME_STATS];
  readonly #server: GrpcServer;
  #registrar: GrpcServer | undefined;

  constructor(name: string, folder: string) {
    this.name = name;
    this.folder = folder;
    const schema = { package: 'csi.v1', messages, services };
    this.#server = createGrpcServer([{ schema, name: 'Node', handlers: this.#handlers() }]);
  }

  get endpoint(): string {
    return join(this.folder, 'csi.sock');
  }

  async listen(): Promise<void> {
    mkdirSync(this.folder, { recursive: true });
    await this.#server.listen(this.endpoint);
  }

  /** Offers itself in a kubelet's folder of plug-ins. */
  async register(registryDir: string, versions = ['1.0.0']): Promise<void> {
    const { messages, services } = registration;
    const schema = { package: 'pluginregistration', messages, services };
    const handlers: HandlersOf<registration.RegistrationMethods> = {
      getInfo: async () => ({
        ...{ type: 'CSIPlugin', name: this.name },
        ...{ endpoint: this.endpoint, supportedVersions: versions },
      }),
      notifyRegistrationStatus: async (answer) => {
        this.answers.push(answer);
        return {};
      },
    };
    this.#registrar = createGrpcServer([{ schema, name: 'Registration', handlers }]);
    await this.#registrar.listen(join(registryDir, `${this.name}-reg.sock`));
  }

  /** The driver's name leaves the kubelet's folder. */
  async deregister(): Promise<void> {
    await this.#registrar?.close(0);
    this.#registrar = undefined;
  }

  /** The volumes of a kubelet that has just started, with which this driver is registered. */
  volumesOf(rootDir: string): CsiVolumes {
    const drivers = new CsiDrivers();
    drivers.add(this.name, drivers.open(this.name, { endpoint: this.endpoint, version: [1, 0, 0] }));
    const spec = { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] };
    const client = { resource: () => ({ get: async () => ({ spec }) }) } as unknown as KubeClient;
    return new CsiVolumes({
      ...{ drivers, client, clock: new FakeClock(), nodeName: 'n', isSelinuxEnforcing: false },
      layout: new CsiLayout(rootDir),
      recorder: { record: () => {} },
      logger: createLogger('test', { level: 'error', write: () => {} }),
      onUse: () => {},
      saysInUse: async () => {},
      onFull: () => {},
    });
  }

  /** Calls of a method so far. */
  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deregister();
    await this.#server.close(0);
  }

  #handlers(): HandlersOf<NodeMethods> {
    const volume = (id: string) => {
      const path = join(this.folder, 'volumes', id);
      mkdirSync(path, { recursive: true });
      return path;
    };
    const mount = (source: string, target: string) => {
      mkdirSync(target, { recursive: true });
      if (!existsSync(join(target, '.mounted'))) bindMount(source, target);
    };
    return {
      nodeGetInfo: async (request) => {
        await this.#take('nodeGetInfo', request);
        const segments = { 'topology.folders.example/node': 'here' };
        return {
          nodeId: 'node-of-folders',
          maxVolumesPerNode: this.volumesMax,
          accessibleTopology: { segments },
          ...this.info,
        };
      },
      nodeGetCapabilities: async () => ({
        capabilities: this.capabilities.map((type) => ({ rpc: { type: type as never } })),
      }),
      nodeStageVolume: async (request, { signal }) => {
        await this.#take('nodeStageVolume', request, signal);
        writeFileSync(join(volume(request.volumeId), '.mounted'), '');
        if (request.volumeCapability?.mount) mount(volume(request.volumeId), request.stagingTargetPath);
        return {};
      },
      nodeUnstageVolume: async (request, { signal }) => {
        await this.#take('nodeUnstageVolume', request, signal);
        unmount(request.stagingTargetPath);
        return {};
      },
      nodePublishVolume: async (request, { signal }) => {
        await this.#take('nodePublishVolume', request, signal);
        writeFileSync(join(volume(request.volumeId), '.mounted'), '');
        if (request.volumeCapability?.mount) mount(volume(request.volumeId), request.targetPath);
        else writeFileSync(request.targetPath, '');
        return {};
      },
      nodeUnpublishVolume: async (request, { signal }) => {
        await this.#take('nodeUnpublishVolume', request, signal);
        while (unmount(request.targetPath));
        if (dirname(request.targetPath).endsWith('publish')) rmSync(request.targetPath, { force: true });
        else if (existsSync(request.targetPath)) removeTarget(request.targetPath);
        return {};
      },
      nodeGetVolumeStats: async (request) => {
        await this.#take('nodeGetVolumeStats', request);
        return { usage: this.usage };
      },
      nodeExpandVolume: async (request) => {
        await this.#take('nodeExpandVolume', request);
        return { capacityBytes: request.capacityRange?.requiredBytes ?? 0 };
      },
    };
  }

  async #take(method: string, request: object, signal?: AbortSignal): Promise<void> {
    this.calls.push({ method, request: request as DriverCall['request'] });
    const failure = this.failures.get(method)?.shift();
    if (failure === 'wait') {
      await new Promise<void>((resolve, reject) => {
        this.release = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    } else if (failure) throw Object.assign(new Error(`${method} was told to fail`), failure);
  }
}

function removeTarget(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    rmSync(path, { force: true });
  }
}
