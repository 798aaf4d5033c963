import { type ClientOf, CriError, type CriErrorCode, inGoWords } from '@wherry/cri/grpc';
import { messages, type NodeMethods, services } from '../../../generated/csi.ts';
import { connectPlugIn } from '../../../ground/plug-ins/connect-plug-in.ts';
import { csiCallMs } from '../../../limits.ts';
import { type CsiFigures, measuredNode } from '../csi-figures.ts';
import { checkDriverName } from './csi-layout.ts';

/** The node service of a driver. */
export type CsiNodeService = ClientOf<NodeMethods>;

const schema = { package: 'csi.v1', messages, services };

/** What is behind a socket that says it is a driver. */
export interface CsiDriver {
  endpoint: string;
  version: readonly number[];
  node: CsiNodeService;
  close(): void;
}

/**
 * The drivers that registered with this kubelet, by name. Of several that say the same name the one that came last is asked;
 * when it goes, the one before it is asked again.
 */
export class CsiDrivers {
  readonly #drivers = new Map<string, CsiDriver[]>();
  readonly #figures: CsiFigures | undefined;

  /** With `figures` each call of theirs is timed. */
  constructor(figures?: CsiFigures) {
    this.#figures = figures;
  }

  /** Throws in upstream's words why a driver of these versions can't be taken. */
  validate(name: string, versions: readonly string[]): readonly number[] {
    checkDriverName(name);
    const told = `for CSI driver "${name}" failed.`;
    if (versions.length === 0)
      throw new Error(`${told} Plugin returned an empty list for supported versions`);
    const known = versions.map(parseVersion).filter((version) => version?.[0] === 1) as number[][];
    const highest = known.sort(compareVersions).at(-1);
    if (!highest)
      throw new Error(`${told} None of the versions specified "${versions.join(', ')}" are supported`);
    const before = this.#drivers.get(name)?.at(-1)?.version;
    if (before && compareVersions(before, highest) >= 0)
      throw new Error(
        `${told} Another driver with the same name is already registered with a higher supported version: "${before.join('.')}"`,
      );
    return highest;
  }

  /** A driver that can be asked, and is none of the node's yet. Whoever opens it adds or closes it. */
  open(name: string, { endpoint, version }: { endpoint: string; version: readonly number[] }): CsiDriver {
    const connection = connectPlugIn(endpoint, `CSI driver "${name}"`);
    const service = connection.service<NodeMethods>(schema, 'Node');
    const node = this.#figures ? measuredNode(service, name, this.#figures) : service;
    return { endpoint, version, node, close: () => connection.close() };
  }

  /** From now on it is the one of that name. */
  add(name: string, driver: CsiDriver): void {
    this.remove(name, driver.endpoint);
    this.#drivers.set(name, [...(this.#drivers.get(name) ?? []), driver]);
  }

  /** What is behind that socket is gone. Answers whether there was something. */
  remove(name: string, endpoint: string): boolean {
    const all = this.#drivers.get(name) ?? [];
    const gone = all.filter((driver) => driver.endpoint === endpoint);
    const others = all.filter((driver) => driver.endpoint !== endpoint);
    for (const driver of gone) driver.close();
    if (others.length > 0) this.#drivers.set(name, others);
    else this.#drivers.delete(name);
    return gone.length > 0;
  }

  has(name: string): boolean {
    return this.#drivers.has(name);
  }

  /** Throws in upstream's words for one that is not registered. */
  node(name: string): CsiNodeService {
    const driver = this.#drivers.get(name)?.at(-1);
    if (driver) return driver.node;
    throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
  }

  close(): void {
    for (const driver of [...this.#drivers.values()].flat()) driver.close();
    this.#drivers.clear();
  }
}

/** What a driver's node service can, as numbers of NodeServiceCapabilityRPCType. Throws {@link DriverError}. */
export async function capabilitiesOf(
  node: CsiNodeService,
  options: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<ReadonlySet<number>> {
  const call = { timeoutMs: csiCallMs, ...options };
  const { capabilities } = await asked(() => node.nodeGetCapabilities({}, call));
  return new Set(capabilities.flatMap(({ rpc }) => (rpc ? [rpc.type] : [])));
}

/** A driver refused or failed a call; the message is Go's. */
export class DriverError extends Error {
  readonly code: CriErrorCode;

  constructor(failure: CriError) {
    super(inGoWords(failure), { cause: failure });
    this.name = 'DriverError';
    this.code = failure.code;
  }

  /** Whether nothing of the call is under way any more (upstream: isFinalError). */
  get isFinal(): boolean {
    return !pendingCodes.has(this.code);
  }
}

const pendingCodes: ReadonlySet<CriErrorCode> = new Set([
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'UNAVAILABLE',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
]);

/** The answer to a call of a driver. Throws {@link DriverError}. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new DriverError(CriError.from(error));
  }
}

function parseVersion(text: string): number[] | undefined {
  const parts = /^v?(\d+)\.(\d+)(?:\.(\d+))?$/.exec(text);
  return parts ? parts.slice(1).map((part) => Number(part ?? 0)) : undefined;
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  return (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0);
}
