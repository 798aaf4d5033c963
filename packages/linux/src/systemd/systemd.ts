import { statSync } from 'node:fs';
import type { Clock, Timer } from '@wherry/clock';
import { limits } from '../limits.ts';
import { BusConnection, BusError } from './bus-connection.ts';
import type { BusCall, BusMessage } from './bus-message.ts';
import type { BusValue, BusVariant } from './bus-values.ts';

const manager = { path: '/org/freedesktop/systemd1', interface: 'org.freedesktop.systemd1.Manager' } as const;
const unitExists = 'org.freedesktop.systemd1.UnitExists';
const noSuchUnit = 'org.freedesktop.systemd1.NoSuchUnit';
const unknownProperty = 'org.freedesktop.DBus.Error.UnknownProperty';
const scopeInterface = 'org.freedesktop.systemd1.Scope';
const unbounded = 2n ** 64n - 1n;
/** What the kernel gives a group that nobody gave a weight. */
const usualWeight = 100n;

/**
 * What a unit is held to, by systemd's names (org.freedesktop.systemd1(5)): `MemoryMax`, `CPUWeight`. Infinity is no bound;
 * a list is the bytes of a mask (`AllowedCPUs`).
 */
export type UnitBounds = Readonly<Record<string, number | readonly number[]>>;

/** Where systemd is asked. */
export interface SystemdOptions {
  clock: Clock;
  /** Default `/run/systemd/private`, where systemd itself listens for root, whether or not there is a message bus. */
  socketPath?: string;
}

/** Whether systemd is what started this machine (sd_booted(3)). */
export function isSystemdBooted(folder = '/run/systemd/system'): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/**
 * systemd, as the one who arranges control groups: slices are made, changed and ended there, so that it does not take away
 * what it does not know of. Everything rejects with words that name the unit.
 */
export class Systemd {
  readonly #clock: Clock;
  readonly #socketPath: string;
  readonly #jobs = new Map<string, (result: string) => void>();
  /** Ends of jobs that were told before the answer that names them. */
  readonly #early = new Map<string, string>();
  #connection: Promise<BusConnection> | undefined;
  #current: BusConnection | undefined;
  #starting = 0;

  constructor({ clock, socketPath = '/run/systemd/private' }: SystemdOptions) {
    this.#clock = clock;
    this.#socketPath = socketPath;
  }

  /** Makes a slice, and those above it; one that is there gets the bounds. */
  async startSlice(name: string, bounds: UnitBounds): Promise<void> {
    const properties = [
      property('Description', 's', `control group ${name}`),
      property('DefaultDependencies', 'b', false),
      ...['CPUAccounting', 'MemoryAccounting', 'TasksAccounting', 'IOAccounting'].map((each) =>
        property(each, 'b', true),
      ),
      ...propertiesOf(bounds),
    ];
    try {
      await this.#job(name, 'StartTransientUnit', 'ssa(sv)a(sa(sv))', [name, 'replace', properties, []]);
    } catch (error) {
      if (!isRefusal(error, unitExists)) throw error;
      await this.setBounds(name, bounds);
    }
  }

  /** Changes what a unit is held to, until it ends. */
  async setBounds(name: string, bounds: UnitBounds): Promise<void> {
    if (Object.keys(bounds).length === 0) return;
    await this.#call(name, 'SetUnitProperties', 'sba(sv)', [name, true, propertiesOf(bounds)]);
  }

  /**
   * Tells systemd of a scope's bounds what it does not know yet, so that it keeps them when it reads its units again. A scope
   * that has ended is fine, and so is a bound that this systemd has no name for.
   */
  async completeScope(name: string, bounds: UnitBounds): Promise<void> {
    try {
      const path = String((await this.#call(name, 'GetUnit', 's', [name]))[0]);
      const looked = await Promise.all(
        Object.entries(bounds).map(async ([each, bound]) => {
          const value = await this.#scopeProperty(name, path, each);
          return { each, bound, isMissing: value !== undefined && !isSaid(value, busValueOf(bound), each) };
        }),
      );
      const missing = looked.filter(({ isMissing }) => isMissing).map(({ each, bound }) => [each, bound]);
      await this.setBounds(name, Object.fromEntries(missing));
    } catch (error) {
      if (!isRefusal(error, noSuchUnit)) throw error;
    }
  }

  /** Ends a unit and what is in it. One that is not there is fine. */
  async stop(name: string): Promise<void> {
    try {
      await this.#job(name, 'StopUnit', 'ss', [name, 'replace']);
    } catch (error) {
      if (!isRefusal(error, noSuchUnit)) throw error;
    }
  }

  close(): void {
    void this.#connection?.then((connection) => connection.close()).catch(() => {});
    this.#connection = undefined;
  }

  /** Calls what begins a job, and waits for the job's end. */
  async #job(unit: string, member: string, signature: string, body: readonly BusValue[]): Promise<void> {
    this.#starting += 1;
    let job: string;
    try {
      job = String((await this.#call(unit, member, signature, body))[0]);
    } finally {
      this.#starting -= 1;
    }
    const early = this.#early.get(job);
    if (this.#starting === 0) this.#early.clear();
    const result = early ?? (await this.#endOf(unit, job));
    if (result !== 'done') throw new Error(`systemd: ${member} of "${unit}" ended with "${result}"`);
  }

  async #endOf(unit: string, job: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#jobs.set(job, resolve);
    promise.catch(() => {});
    const connection = await this.#connected();
    void connection.ended.then(() => reject(new Error(`systemd: ${unit}: the connection has ended`)));
    const release = connection.hold();
    const timer = this.#patience(unit, reject);
    try {
      return await promise;
    } finally {
      release();
      timer.cancel();
      this.#jobs.delete(job);
    }
  }

  /** undefined where this systemd has no such property. */
  async #scopeProperty(unit: string, path: string, name: string): Promise<BusValue | undefined> {
    const object = { path, interface: 'org.freedesktop.DBus.Properties' };
    try {
      const [variant] = await this.#call(unit, 'Get', 'ss', [scopeInterface, name], object);
      return (variant as BusVariant | undefined)?.value;
    } catch (error) {
      if (isRefusal(error, unknownProperty)) return undefined;
      throw error;
    }
  }

  async #call(
    unit: string,
    member: string,
    signature: string,
    body: readonly BusValue[],
    object: Pick<BusCall, 'path' | 'interface'> = manager,
  ): Promise<BusValue[]> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = this.#patience(unit, reject);
    try {
      return await Promise.race([this.#send({ ...object, member, signature, body }), late]);
    } catch (error) {
      const words = `systemd: ${member} of "${unit}": ${error instanceof Error ? error.message : String(error)}`;
      throw new Error(words, { cause: error });
    } finally {
      timer.cancel();
    }
  }

  /** systemd that has replaced itself ended its connections: what was lost with one is asked once more. */
  async #send(call: BusCall): Promise<BusValue[]> {
    const connection = await this.#connected();
    try {
      return await connection.call(call);
    } catch (error) {
      if (error instanceof BusError) throw error;
      this.#forget(connection);
      return (await this.#connected()).call(call);
    }
  }

  #forget(connection: BusConnection): void {
    connection.close();
    if (this.#current === connection) this.#connection = undefined;
  }

  #patience(unit: string, reject: (error: Error) => void): Timer {
    const { systemdAnswerMs } = limits;
    const late = () => reject(new Error(`systemd: "${unit}": no answer within ${systemdAnswerMs} ms`));
    return this.#clock.after(systemdAnswerMs, late);
  }

  /** One that has ended, as when systemd has replaced itself, is made anew by the next call. */
  #connected(): Promise<BusConnection> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<BusConnection> {
    try {
      const connection = await BusConnection.open(this.#socketPath, (signal) => this.#told(signal));
      this.#current = connection;
      void connection.ended.then(() => this.#forget(connection));
      await connection.call({ ...manager, member: 'Subscribe' }).catch((error: unknown) => {
        if (!(error instanceof BusError)) throw error;
      });
      return connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  #told(signal: BusMessage): void {
    if (signal.member !== 'JobRemoved') return;
    const [, job, , result] = signal.readBody().map(String);
    if (job === undefined || result === undefined) return;
    const waiting = this.#jobs.get(job);
    if (waiting) waiting(result);
    else if (this.#starting > 0) this.#early.set(job, result);
  }
}

const property = (name: string, signature: string, value: BusVariant['value']): BusValue => [
  name,
  { signature, value },
];

/** All bounds but masks are of D-Bus' type `t`, and its largest number means none. */
const propertiesOf = (bounds: UnitBounds): BusValue[] =>
  Object.entries(bounds).map(([name, bound]) =>
    property(name, typeof bound === 'number' ? 't' : 'ay', busValueOf(bound)),
  );

function busValueOf(bound: number | readonly number[]): bigint | readonly number[] {
  if (typeof bound !== 'number') return bound;
  return Number.isFinite(bound) ? BigInt(Math.round(bound)) : unbounded;
}

/** Whether a property says a bound already. Masks may end in zeros; a weight that is not set is the kernel's own. */
function isSaid(value: BusValue, bound: bigint | readonly number[], name: string): boolean {
  if (typeof bound === 'bigint')
    return value === bound || (name === 'CPUWeight' && value === unbounded && bound === usualWeight);
  if (!Array.isArray(value)) return false;
  const length = Math.max(value.length, bound.length);
  return Array.from({ length }).every((_, at) => (value[at] ?? 0) === (bound[at] ?? 0));
}

const isRefusal = (error: unknown, name: string): boolean =>
  error instanceof Error && error.cause instanceof BusError && error.cause.errorName === name;
