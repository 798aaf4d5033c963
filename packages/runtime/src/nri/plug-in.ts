import type { Socket } from 'node:net';
import { onAbort } from '@wherry/bytes';
import { type Clock, deadline } from '@wherry/clock';
import type { Input } from '@wherry/cri';
import type { Logger } from '@wherry/telemetry';
import { messageOf, RuntimeError } from '../errors.ts';
import {
  type Container,
  type ContainerUpdate,
  Event,
  type PluginMethods,
  type PodSandbox,
  type RegisterPluginRequest,
} from '../generated/nri.ts';
import { messageBytesMax } from './wire/frames.ts';
import { ConnectionLost, PlugInConnection, type RuntimeAnswers } from './wire/plug-in-connection.ts';

/** Times that a plug-in has. */
export interface PlugInTimes {
  /** To register, once it is connected. */
  registrationMs: number;
  /** To answer one request. */
  requestMs: number;
}

/** What a plug-in is handed its connection with. */
export interface PlugInOptions {
  clock: Clock;
  logger: Logger;
  times: PlugInTimes;
  runtimeVersion: string;
  updateContainers: RuntimeAnswers['updateContainers'];
}

/** The version of NRI that is spoken; plug-ins may ask for it. */
const nriVersion = 'v0.12.3';
const allEvents = 2 ** (Event.LAST - 1) - 1;
/** Room in a message for what is not a pod or a container. */
const headroomBytes = 1024;

/** A plug-in that has registered, and what it wants to be asked. */
export class PlugIn {
  readonly #connection: PlugInConnection;
  readonly #times: PlugInTimes;
  readonly #logger: Logger;
  readonly #mask: number;
  readonly base: string;
  readonly index: string;

  private constructor(
    connection: PlugInConnection,
    registration: RegisterPluginRequest,
    mask: number,
    { times, logger }: PlugInOptions,
  ) {
    this.#connection = connection;
    this.#times = times;
    this.#logger = logger;
    this.#mask = mask;
    this.base = registration.pluginName;
    this.index = registration.pluginIdx;
  }

  /** Waits until who connected has registered, and configures it. Throws, with the connection closed, when that fails. */
  static async register(socket: Socket, options: PlugInOptions): Promise<PlugIn> {
    const { clock, times, runtimeVersion } = options;
    const registered = Promise.withResolvers<RegisterPluginRequest>();
    registered.promise.catch(() => {});
    let isRegistered = false;
    const connection = new PlugInConnection(socket, {
      clock,
      answers: {
        async registerPlugin(request) {
          try {
            checkName(request);
          } catch (error) {
            registered.reject(error);
            throw error;
          }
          registered.resolve(request);
          return {};
        },
        async updateContainers(request) {
          if (isRegistered) return options.updateContainers(request);
          throw new RuntimeError('FAILED_PRECONDITION', 'a plug-in has to register first');
        },
      },
    });
    const { registrationMs, requestMs } = times;
    using patience = deadline({ clock, timeoutMs: registrationMs });
    const giveUp = () => connection.close(`it did not register within ${registrationMs} ms`);
    const leave = onAbort(patience.signal, giveUp);
    void connection.closed.then(() => registered.reject(new ConnectionLost(connection.why ?? '')));
    try {
      const registration = await registered.promise;
      leave();
      isRegistered = true;
      const { events } = await connection.call(
        'configure',
        {
          ...{ runtimeName: 'wherry', runtimeVersion, nriVersion },
          registrationTimeout: registrationMs,
          requestTimeout: requestMs,
        },
        requestMs,
      );
      if (events < 0 || events > allEvents)
        throw new RuntimeError(
          'INVALID_ARGUMENT',
          `it wants events 0x${(events >>> 0).toString(16)}, which NRI has not`,
        );
      return new PlugIn(connection, registration, events === 0 ? allEvents : events, options);
    } catch (error) {
      connection.close(messageOf(error));
      throw error;
    }
  }

  get name(): string {
    return `${this.index}-${this.base}`;
  }

  get isGone(): boolean {
    return this.#connection.why !== null;
  }

  /** Resolves when its connection is closed. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  wants(event: number): boolean {
    return (this.#mask & (1 << (event - 1))) !== 0;
  }

  /** Asks it. Answers undefined when it is gone or hangs: it is then dropped. Throws `RuntimeError` when it says no. */
  async ask<Name extends keyof PluginMethods>(
    method: Name,
    request: object,
  ): Promise<PluginMethods[Name]['response'] | undefined> {
    try {
      return await this.#connection.call(method, request, this.#times.requestMs);
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.#logger.warn('an NRI plug-in is dropped', { plugIn: this.name, error: error.message });
        return undefined;
      }
      throw new RuntimeError('UNKNOWN', `NRI plug-in "${this.name}": ${messageOf(error)}`, { cause: error });
    }
  }

  /** Tells it what there is, in as many messages as it takes; answers the updates that it wants. Throws when it can't be. */
  async synchronize(pods: Input<PodSandbox>[], containers: Input<Container>[]): Promise<ContainerUpdate[]> {
    const items = [
      ...pods.map((pod) => ({ pod, bytes: this.#connection.sizeOf('PodSandbox', pod) })),
      ...containers.map((container) => ({
        container,
        bytes: this.#connection.sizeOf('Container', container),
      })),
    ];
    const batches: (typeof items)[] = [[]];
    let bytes = 0;
    for (const item of items) {
      const size = item.bytes + 16;
      if (bytes > 0 && bytes + size > messageBytesMax - headroomBytes) {
        batches.push([]);
        bytes = 0;
      }
      batches.at(-1)?.push(item);
      bytes += size;
    }
    for (const [index, batch] of batches.entries()) {
      const more = index < batches.length - 1;
      const answer = await this.#connection.call(
        'synchronize',
        {
          pods: batch.flatMap((item) => ('pod' in item ? [item.pod] : [])),
          containers: batch.flatMap((item) => ('container' in item ? [item.container] : [])),
          more,
        },
        this.#times.requestMs,
      );
      if (!more) return answer.update;
      if (!answer.more || answer.update.length > 0)
        throw new RuntimeError('FAILED_PRECONDITION', 'it does not take what there is in several messages');
    }
    return [];
  }

  close(why: string): void {
    this.#connection.close(why);
  }
}

function checkName({ pluginName, pluginIdx }: RegisterPluginRequest): void {
  if (!/^[A-Za-z0-9_.+-]{1,128}$/.test(pluginName))
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `plug-in name ${JSON.stringify(pluginName.slice(0, 128))}: want letters, digits and -_.+`,
    );
  if (!/^[0-9]{2}$/.test(pluginIdx))
    throw new RuntimeError(
      'INVALID_ARGUMENT',
      `plug-in index ${JSON.stringify(pluginIdx.slice(0, 128))}: want two digits`,
    );
}
