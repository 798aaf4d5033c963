import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError, createGrpcServer, type GrpcServer, type HandlersOf } from '@wherry/cri/grpc';
import type { Counter, Logger } from '@wherry/telemetry';
import type { RegistrationMethods } from '../../generated/device-plugin.ts';
import { deviceRegistrationsMax } from '../../limits.ts';
import type { DeviceManager } from './device-manager.ts';
import { devicePlugInSchema } from './device-plug-in.ts';
import { requireResource, requireVersion } from './requirements.ts';

/** What the registry is made of. */
export interface DeviceRegistryOptions {
  /** Plug-ins have their sockets beside the kubelet's. */
  folder: string;
  manager: DeviceManager;
  registrations: Counter;
  logger: Logger;
}

/** Where device plug-ins register: the socket `kubelet.sock` of their folder. */
export class DeviceRegistry {
  readonly #options: DeviceRegistryOptions;
  readonly #server: GrpcServer;
  #registering = 0;

  constructor(options: DeviceRegistryOptions) {
    this.#options = options;
    const handlers: HandlersOf<RegistrationMethods> = {
      register: async (request, { signal }) => {
        if (this.#registering >= deviceRegistrationsMax)
          throw new CriError(
            'RESOURCE_EXHAUSTED',
            `${this.#registering} device plug-ins are registering; come back later`,
          );
        this.#registering += 1;
        try {
          await this.#register(request, signal);
        } finally {
          this.#registering -= 1;
        }
        return {};
      },
    };
    this.#server = createGrpcServer([{ schema: devicePlugInSchema, name: 'Registration', handlers }]);
  }

  /** Takes over what an earlier kubelet knew, and listens. Where it can't, that is said, and no plug-in registers. */
  async start(): Promise<void> {
    const { folder, manager, logger } = this.#options;
    const socket = join(folder, 'kubelet.sock');
    try {
      await mkdir(folder, { recursive: true, mode: 0o750 });
      await manager.load();
      await this.#server.listen(socket);
    } catch (error) {
      logger.warn('device plug-ins can not register', { socket, error });
    }
  }

  async close(): Promise<void> {
    this.#options.manager.close();
    await this.#server.close(0);
  }

  async #register(
    { version, endpoint, resourceName }: { version: string; endpoint: string; resourceName: string },
    signal: AbortSignal,
  ): Promise<void> {
    const { folder, manager, registrations, logger } = this.#options;
    requireVersion([version]);
    requireResource(resourceName);
    if (endpoint === '' || endpoint.includes('/') || endpoint.startsWith('.'))
      throw new Error(`the endpoint ${JSON.stringify(endpoint)} is not the name of a socket in ${folder}`);
    registrations.add(1, { resource_name: resourceName });
    await manager.sources.connect(resourceName, join(folder, endpoint), signal);
    logger.info('a device plug-in registered', { resource: resourceName, endpoint });
  }
}
