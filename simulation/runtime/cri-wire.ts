import { onAbort } from '@wherry/bytes';
import type { Clock } from '@wherry/clock';
import { deadline } from '@wherry/clock';
import {
  type CallOptions,
  type CriClient,
  CriError,
  type CriErrorCode,
  type ImageServiceClient,
  type ImageServiceHandlers,
  type RuntimeServiceClient,
  type RuntimeServiceHandlers,
} from '@wherry/cri';
import { type ServiceName, schema } from '../../packages/cri/src/cri-schema.ts';
import { type Method, methodsOf } from '../../packages/cri/src/grpc/methods.ts';
import type { Participant } from '../machine/participant.ts';
import type { Faults } from '../world/faults.ts';

/** The other end: a CRI server that may be away. */
export interface CriEnd {
  /** Undefined while nobody listens. */
  readonly handlers: { runtime: RuntimeServiceHandlers; images: ImageServiceHandlers } | undefined;
  /** Aborts when the server dies: its calls and streams break. */
  readonly life: AbortSignal;
  /** Runs the server's code as its own process. */
  run<T>(work: () => T): T;
}

/** What a client in memory is made of. */
export interface CriWireOptions {
  end(): CriEnd;
  process: Participant;
  clock: Clock;
  faults: Faults;
  note(line: string): void;
  /** Uids of pods by the containers that were made for them. */
  pods: Map<string, string>;
  /** Told which container of which pod is asked to start. */
  starting(podUid: string): void;
  /** Told before a call is sent and after it was answered: the caller may die there. */
  effect(name: string): void;
}

const codes: Readonly<Record<number, CriErrorCode>> = { 2: 'UNKNOWN', 14: 'UNAVAILABLE' };

/** A CRI client that calls the handlers in the same thread, with the schema's encoding between, and faults. */
export function criWire(options: CriWireOptions): CriClient {
  return {
    runtime: stub('RuntimeService', options) as unknown as RuntimeServiceClient,
    images: stub('ImageService', options) as unknown as ImageServiceClient,
    close() {},
  };
}

function stub(service: ServiceName, options: CriWireOptions): Record<string, unknown> {
  const kind = service === 'RuntimeService' ? 'runtime' : 'images';
  const entries = methodsOf(schema, service).map((method) => [
    method.name,
    method.definition.responseStream ? streamCall(kind, method, options) : unaryCall(kind, method, options),
  ]);
  return Object.fromEntries(entries);
}

type Kind = 'runtime' | 'images';
const away = () => new CriError('UNAVAILABLE', 'no CRI server answers');

function handlerOf(kind: Kind, { name, definition }: Method, end: CriEnd) {
  if (!end.handlers || end.life.aborted) throw away();
  const handler = Reflect.get(end.handlers[kind], name) as
    | ((request: object, context: { signal: AbortSignal }) => unknown)
    | undefined;
  if (!handler) throw new CriError('UNIMPLEMENTED', definition.path);
  return handler;
}

function unaryCall(kind: Kind, method: Method, options: CriWireOptions) {
  const { name, definition } = method;
  const { clock, faults, process, note, effect, pods } = options;
  return async (request: object = {}, { signal, timeoutMs }: CallOptions = {}) => {
    if (signal?.aborted) throw new CriError('CANCELLED', `${definition.path}: cancelled before it was sent`);
    effect(`cri ${name}`);
    if (!process.isAlive) return never();
    const fault = faults.next([2, 14]);
    const isRead = /^(list|version|status|podSandboxStatus|containerStatus|imageStatus|imageFsInfo)/.test(
      name,
    );
    if (fault) note(`cri ${name}${subjectOf(request)}: ${JSON.stringify(fault)}`);
    if (fault?.kind === 'refused') throw away();
    if (fault?.kind === 'error')
      throw new CriError(codes[fault.code] ?? 'UNKNOWN', 'a fault of the simulation');
    const limit = timeoutMs === undefined ? undefined : deadline({ clock, timeoutMs });
    const ends = [...(signal ? [signal] : []), ...(limit ? [limit.signal] : [])];
    const caller = AbortSignal.any(ends);
    try {
      const answer = async () => {
        if (fault?.kind === 'slow' && fault.before) await faults.delay(fault.delayMs, caller);
        // What its caller did not live to see sent was never sent.
        if (!process.isAlive) return never();
        const end = options.end();
        const handler = handlerOf(kind, method, end);
        const asked = request as { containerId?: string; sandboxConfig?: { metadata?: { uid?: string } } };
        if (name === 'startContainer') options.starting(pods.get(asked.containerId ?? '') ?? '');
        const context = { signal: AbortSignal.any([caller, end.life, process.life]) };
        const given = definition.requestDeserialize(definition.requestSerialize(request));
        const result = await orBroken(end.run(() => handler(given, context)) as Promise<object>, end.life);
        const { containerId, podSandboxId } = result as { containerId?: string; podSandboxId?: string };
        if (name === 'createContainer') pods.set(containerId ?? '', asked.sandboxConfig?.metadata?.uid ?? '');
        if (!isRead)
          note(
            `cri ${name}${subjectOf(request)} = ${(containerId ?? podSandboxId ?? '').replace(/^0+/, '')}`,
          );
        if (fault?.kind === 'lost') throw away();
        if (fault?.kind === 'slow' && !fault.before) await faults.delay(fault.delayMs, caller);
        return definition.responseDeserialize(definition.responseSerialize(result));
      };
      const result = await orAborted(answer(), caller, limit?.signal);
      effect(`cri ${name} answered`);
      return process.isAlive ? result : await never();
    } catch (error) {
      if (!process.isAlive) return never();
      throw CriError.from(error);
    } finally {
      limit?.cleanup();
    }
  };
}

function streamCall(kind: Kind, method: Method, options: CriWireOptions) {
  const { definition } = method;
  return async function* (request: object = {}, { signal }: CallOptions = {}) {
    const end = options.end();
    const handler = handlerOf(kind, method, end);
    const broken = AbortSignal.any([end.life, ...(signal ? [signal] : [])]);
    const stream = end.run(() =>
      handler(definition.requestDeserialize(definition.requestSerialize(request)), { signal: broken }),
    ) as AsyncIterable<object>;
    const messages = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await orAborted(messages.next(), broken, undefined);
        if (!options.process.isAlive) await never();
        if (next.done) return;
        yield definition.responseDeserialize(definition.responseSerialize(next.value));
      }
    } catch (error) {
      throw CriError.from(error);
    } finally {
      void messages.return?.();
    }
  };
}

function orBroken<T>(work: Promise<T>, life: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(life, () => reject(away()));
    work.then(resolve, reject).finally(leave);
  });
}

function orAborted<T>(work: Promise<T>, caller: AbortSignal, limit: AbortSignal | undefined): Promise<T> {
  work.catch(() => {});
  return new Promise((resolve, reject) => {
    const leave = onAbort(caller, () =>
      reject(
        limit?.aborted
          ? new CriError('DEADLINE_EXCEEDED', 'Deadline exceeded')
          : new CriError('CANCELLED', 'Cancelled on client'),
      ),
    );
    work.then(resolve, reject).finally(leave);
  });
}

const never = (): Promise<never> => new Promise(() => {});

/** Which pod, sandbox or container a request is about, in few words. */
function subjectOf(request: object): string {
  const { config, podSandboxId, containerId, sandboxConfig } = request as {
    config?: { metadata?: { name?: string; attempt?: number } };
    sandboxConfig?: { metadata?: { name?: string } };
    podSandboxId?: string;
    containerId?: string;
  };
  const pod = sandboxConfig?.metadata?.name;
  const own = config?.metadata && `${config.metadata.name}#${config.metadata.attempt}`;
  const ids = [podSandboxId, containerId].map((id) => id?.replace(/^0+/, ''));
  return [pod, own, ...ids]
    .filter((word) => word)
    .map((word) => ` ${word}`)
    .join('');
}
