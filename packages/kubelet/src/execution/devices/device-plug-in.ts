import { type GrpcConnection, messageCodec } from '@wherry/cri/grpc';
import {
  type ContainerAllocateResponse,
  type Device,
  type DevicePluginMethods,
  type DevicePluginOptions,
  messages,
  services,
} from '../../generated/device-plugin.ts';
import { connectPlugIn } from '../../ground/plug-ins/connect-plug-in.ts';
import { deviceCallMs, devicePreStartMs, deviceSettingsBytesMax } from '../../limits.ts';

/** The one version of the protocol that there is. */
export const devicePlugInVersion = 'v1beta1';

/** The protocol of device plug-ins. */
export const devicePlugInSchema = { package: devicePlugInVersion, messages, services };

const codec = messageCodec(messages);

/** What a plug-in is asked for in {@link DevicePlugIn.preferred}. */
export interface DeviceChoice {
  /** Devices to choose from; those that must be taken are among them. */
  available: readonly string[];
  mustInclude: readonly string[];
  size: number;
}

/** A plug-in that brings the devices of one resource, behind its socket. Calls reject with CriError. */
export class DevicePlugIn {
  readonly resource: string;
  readonly endpoint: string;
  readonly #connection: GrpcConnection;
  readonly #service: ReturnType<typeof serviceOf>;

  constructor(resource: string, endpoint: string) {
    this.resource = resource;
    this.endpoint = endpoint;
    this.#connection = connectPlugIn(endpoint, `device plug-in of ${resource}`);
    this.#service = serviceOf(this.#connection);
  }

  options(signal: AbortSignal): Promise<DevicePluginOptions> {
    return this.#service.getDevicePluginOptions({}, { signal, timeoutMs: deviceCallMs });
  }

  /** All its devices, anew with each change, for as long as it is there. */
  async *devices(signal: AbortSignal): AsyncIterable<readonly Device[]> {
    for await (const { devices } of this.#service.listAndWatch({}, { signal })) yield devices;
  }

  /** The devices that it would rather give away together. */
  async preferred(choice: DeviceChoice, signal: AbortSignal): Promise<readonly string[]> {
    const containerRequests = [
      {
        availableDeviceIDs: [...choice.available],
        mustIncludeDeviceIDs: [...choice.mustInclude],
        allocationSize: choice.size,
      },
    ];
    const options = { signal, timeoutMs: deviceCallMs };
    const answer = await this.#service.getPreferredAllocation({ containerRequests }, options);
    return answer.containerResponses[0]?.deviceIDs ?? [];
  }

  /** What a container needs to be given so that it has these devices. */
  async allocate(ids: readonly string[], signal: AbortSignal): Promise<ContainerAllocateResponse> {
    const containerRequests = [{ devicesIds: [...ids] }];
    const options = { signal, timeoutMs: deviceCallMs };
    const { containerResponses } = await this.#service.allocate({ containerRequests }, options);
    const [answer] = containerResponses;
    if (!answer) throw new Error('no containers return in allocation response');
    const bytes = codec.encode('ContainerAllocateResponse', answer).length;
    if (bytes > deviceSettingsBytesMax)
      throw new Error(
        `the device plug-in of ${this.resource} wants a container to be given ${bytes} bytes of settings; ${deviceSettingsBytesMax} are the most`,
      );
    return answer;
  }

  /** A container that has these devices is about to start. */
  async preStart(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#service.preStartContainer({ devicesIds: [...ids] }, { signal, timeoutMs: devicePreStartMs });
  }

  close(): void {
    this.#connection.close();
  }
}

const serviceOf = (connection: GrpcConnection) =>
  connection.service<DevicePluginMethods>(devicePlugInSchema, 'DevicePlugin');
