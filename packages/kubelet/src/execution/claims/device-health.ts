import { readFileSync } from 'node:fs';
import type { Clock } from '@wherry/clock';
import { writeFileAtomicSync } from '@wherry/linux';
import type { DeviceHealth } from '../../generated/dra-health.ts';
import {
  deviceHealthMs,
  deviceHealthSecondsMax,
  deviceHealthsMax,
  deviceHealthWordsMax,
  deviceNameMax,
} from '../../limits.ts';

/** A device as drivers name it. */
export interface DevicePlace {
  driver: string;
  pool: string;
  device: string;
}

/** How a device is. */
export interface HealthWord {
  health: 'Healthy' | 'Unhealthy' | 'Unknown';
  /** '' = none. */
  message: string;
}

/** A word, and how long it holds; times are Go's: text, and nanoseconds. */
interface Stored {
  PoolName: string;
  DeviceName: string;
  Health: HealthWord['health'];
  LastUpdated: string;
  HealthCheckTimeout: number;
  Message: string;
}

type StoredDrivers = Record<string, { Devices: Record<string, Stored> | null }>;

const words = ['Unknown', 'Healthy', 'Unhealthy'] as const;
const unknown: HealthWord = { health: 'Unknown', message: '' };

/** What drivers say of the health of their devices, in a file of upstream's form (pkg/kubelet/cm/dra/healthinfo.go). */
export class DeviceHealths {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #drivers = new Map<string, Map<string, Stored>>();

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** Takes over what an earlier kubelet heard. Throws where that can't be understood. */
  load(): void {
    try {
      const stored = JSON.parse(readFileSync(this.#path, 'utf8')) as StoredDrivers;
      for (const [driver, { Devices }] of Object.entries(stored))
        this.#drivers.set(driver, new Map(Object.entries(Devices ?? {})));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** How a device is; a word that is too old counts for nothing. */
  of({ driver, pool, device }: DevicePlace): HealthWord {
    const stored = this.#drivers.get(driver)?.get(`${pool}/${device}`);
    if (!stored || this.#isStale(stored)) return unknown;
    return { health: stored.Health, message: stored.Message };
  }

  /** Notes what a driver says, and answers which devices are otherwise than before. Throws where it can't be written. */
  told(driver: string, devices: readonly DeviceHealth[]): DevicePlace[] {
    const known = this.#drivers.get(driver) ?? new Map<string, Stored>();
    this.#drivers.set(driver, known);
    const now = new Date(this.#clock.nowMs()).toISOString();
    const reported = new Map(devices.filter(isNamed).map((each) => [keyOf(each), storedHealth(each, now)]));
    const changed = new Set<Stored>();
    for (const [key, after] of reported) {
      const before = known.get(key);
      if (!before && known.size >= deviceHealthsMax) continue;
      known.set(key, after);
      if (!before || !isSame(before, after)) changed.add(after);
    }
    for (const [key, before] of known) {
      if (reported.has(key) || before.Health === 'Unknown' || !this.#isStale(before)) continue;
      const after: Stored = { ...before, Health: 'Unknown', Message: '', LastUpdated: now };
      known.set(key, after);
      changed.add(after);
    }
    if (changed.size > 0) this.#write();
    return [...changed].map(({ PoolName: pool, DeviceName: device }) => ({ driver, pool, device }));
  }

  /** The driver does not say any more how its devices are. */
  forget(driver: string): void {
    if (this.#drivers.delete(driver)) this.#write();
  }

  #isStale({ LastUpdated, HealthCheckTimeout }: Stored): boolean {
    const holdsMs = HealthCheckTimeout === 0 ? deviceHealthMs : HealthCheckTimeout / 1e6;
    return this.#clock.nowMs() - Date.parse(LastUpdated) > holdsMs;
  }

  #write(): void {
    const drivers = [...this.#drivers].map(([driver, devices]) => [
      driver,
      { Devices: Object.fromEntries(devices) },
    ]);
    writeFileAtomicSync(this.#path, JSON.stringify(Object.fromEntries(drivers)));
  }
}

const isNamed = ({ device }: DeviceHealth): boolean =>
  (device?.poolName.length ?? 0) <= deviceNameMax && (device?.deviceName.length ?? 0) <= deviceNameMax;

const keyOf = ({ device }: DeviceHealth) => `${device?.poolName ?? ''}/${device?.deviceName ?? ''}`;

function storedHealth(told: DeviceHealth, now: string): Stored {
  const { device, health, healthCheckTimeoutSeconds: seconds, message } = told;
  const isLong = message.length > deviceHealthWordsMax;
  return {
    PoolName: device?.poolName ?? '',
    DeviceName: device?.deviceName ?? '',
    Health: words[health] ?? 'Unknown',
    LastUpdated: now,
    HealthCheckTimeout:
      (seconds > 0 ? Math.min(seconds, deviceHealthSecondsMax) * 1_000 : deviceHealthMs) * 1e6,
    Message: isLong ? `${message.slice(0, deviceHealthWordsMax - 3)}...` : message,
  };
}

const isSame = (a: Stored, b: Stored) =>
  a.Health === b.Health && a.Message === b.Message && a.HealthCheckTimeout === b.HealthCheckTimeout;
