/** A device plug-in with a real gRPC server, whose devices and answers a test chooses. */
import { join } from 'node:path';
import { createGrpcServer, type GrpcServer, type HandlersOf, openConnection } from '@wherry/cri/grpc';
import { devicePlugInSchema, devicePlugInVersion } from '../src/execution/devices/device-plug-in.ts';
import type {
  ContainerAllocateResponse,
  Device,
  DevicePluginMethods,
  DevicePluginOptions,
  RegistrationMethods,
} from '../src/generated/device-plugin.ts';
import * as registration from '../src/generated/plugin-registration.ts';

/** What a plug-in is made of. */
export interface SamplePlugInOptions {
  folder: string;
  resource: string;
  devices: readonly Device[];
  options?: DevicePluginOptions;
  /** What a container with these devices gets. */
  answer?(ids: readonly string[]): Partial<ContainerAllocateResponse>;
  /** Devices that go first. */
  preferred?: readonly string[];
  /** Its list of devices ends with an error: from the beginning, or from the next change on. */
  listFails?(): boolean;
}

/** A healthy device near to these memory nodes. */
export const device = (id: string, ...nodes: number[]): Device => ({
  id,
  health: 'Healthy',
  ...(nodes.length > 0 ? { topology: { nodes: nodes.map((node) => ({ id: node })) } } : {}),
});

export class SamplePlugIn implements AsyncDisposable {
  /** Calls, with the devices that they are about. */
  readonly calls: [method: string, ids: readonly string[]][] = [];
  readonly #options: SamplePlugInOptions;
  readonly #server: GrpcServer;
  #devices: readonly Device[];
  #changed = Promise.withResolvers<void>();
  #registrar: GrpcServer | undefined;

  constructor(options: SamplePlugInOptions) {
    this.#options = options;
    this.#devices = options.devices;
    const name = 'DevicePlugin';
    this.#server = createGrpcServer([{ schema: devicePlugInSchema, name, handlers: this.#handlers() }]);
  }

  get endpoint(): string {
    return join(this.#options.folder, 'sample.sock');
  }

  listen(): Promise<void> {
    return this.#server.listen(this.endpoint);
  }

  /** Registers at the kubelet's socket. */
  async register(
    more: Partial<{ version: string; endpoint: string; resourceName: string }> = {},
  ): Promise<void> {
    const connection = openConnection(join(this.#options.folder, 'kubelet.sock'), 'kubelet');
    const service = connection.service<RegistrationMethods>(devicePlugInSchema, 'Registration');
    const { resource: resourceName } = this.#options;
    try {
      await service.register({
        version: devicePlugInVersion,
        endpoint: 'sample.sock',
        resourceName,
        ...more,
      });
    } finally {
      connection.close();
    }
  }

  /** Offers itself in a kubelet's folder of plug-ins. */
  async offer(registryDir: string): Promise<void> {
    const { messages, services } = registration;
    const handlers: HandlersOf<registration.RegistrationMethods> = {
      getInfo: async () => ({
        ...{ type: 'DevicePlugin', name: this.#options.resource },
        ...{ endpoint: this.endpoint, supportedVersions: [devicePlugInVersion] },
      }),
      notifyRegistrationStatus: async () => ({}),
    };
    const schema = { package: 'pluginregistration', messages, services };
    this.#registrar = createGrpcServer([{ schema, name: 'Registration', handlers }]);
    await this.#registrar.listen(join(registryDir, 'sample-reg.sock'));
  }

  /** From now on these are its devices. */
  show(devices: readonly Device[]): void {
    this.#devices = devices;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #handlers(): HandlersOf<DevicePluginMethods> {
    const { options = {}, answer, preferred = [], listFails } = this.#options;
    const changed = () => this.#changed.promise;
    const devices = () => [...this.#devices];
    return {
      getDevicePluginOptions: async () => options,
      async *listAndWatch(_request, { signal }) {
        const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        while (!signal.aborted) {
          if (listFails?.()) throw new Error('ListAndWatch failed');
          const next = changed();
          yield { devices: devices() };
          await Promise.race([next, ended]);
        }
      },
      getPreferredAllocation: async ({ containerRequests }) => {
        this.calls.push(['preferred', containerRequests[0]?.availableDeviceIDs ?? []]);
        return { containerResponses: [{ deviceIDs: [...preferred] }] };
      },
      allocate: async ({ containerRequests }) => {
        const ids = containerRequests[0]?.devicesIds ?? [];
        this.calls.push(['allocate', ids]);
        return { containerResponses: [answer?.(ids) ?? {}] };
      },
      preStartContainer: async ({ devicesIds }) => {
        this.calls.push(['preStart', devicesIds]);
        return {};
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#server.close(0), this.#registrar?.close(0)]);
  }
}
