import { type Clock, sleep } from '@wherry/clock';
import type { Logger } from '@wherry/telemetry';
import { paced } from '../../ground/plug-ins/paced.ts';
import { deviceHealthRetryMs } from '../../limits.ts';
import type { ClaimDriver } from './claim-driver.ts';
import type { DeviceHealths, DevicePlace } from './device-health.ts';

/** What is listened with. */
export interface HealthListenerOptions {
  healths: DeviceHealths;
  clock: Clock;
  logger: Logger;
  /** These devices are otherwise than before. */
  onChanged(places: readonly DevicePlace[]): void;
}

/** Listens to what a driver says of the health of its devices, until that is aborted; one that says nothing is asked again. */
export async function listenToHealth(
  driver: ClaimDriver,
  { healths, clock, logger, onChanged }: HealthListenerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { name } = driver;
  const note = (work: () => void) => {
    try {
      work();
    } catch (error) {
      logger.warn('the health of devices could not be noted', { driver: name, error });
    }
  };
  while (!signal.aborted) {
    try {
      for await (const devices of paced(driver.health(signal), { clock, signal }))
        note(() => onChanged(healths.told(name, devices)));
    } catch (error) {
      if (!signal.aborted) logger.debug('a driver does not tell of its devices', { driver: name, error });
    } finally {
      note(() => healths.forget(name));
    }
    await sleep({ clock, delayMs: deviceHealthRetryMs, signal }).catch(() => {});
  }
}
