import { CgroupDriver, type CriClient, isCriError } from '@wherry/cri';
import { isSystemdBooted } from '@wherry/linux';
import type { Logger } from '@wherry/telemetry';
import type { GroupPlace } from '../../pod/group-path.ts';

const drivers: ReadonlyMap<CgroupDriver, GroupPlace['cgroupDriver']> = new Map([
  [CgroupDriver.SYSTEMD, 'systemd'],
  [CgroupDriver.CGROUPFS, 'cgroupfs'],
]);

/** Whom the driver is asked of. */
export interface DriverQuestion {
  runtime: Pick<CriClient['runtime'], 'runtimeConfig'>;
  logger: Logger;
  /** How long the answer may take. Default: any time. */
  timeoutMs?: number;
}

/**
 * Takes the driver that the runtime names, since both have to make groups in one way; of a runtime that names none the
 * configuration's stays. To be done before the first group is made.
 */
export async function takeRuntimesDriver(
  groups: GroupPlace,
  { runtime, logger, timeoutMs }: DriverQuestion,
): Promise<void> {
  const configured = groups.cgroupDriver;
  try {
    const { linux } = await runtime.runtimeConfig({}, timeoutMs === undefined ? {} : { timeoutMs });
    const told = linux && drivers.get(linux.cgroupDriver);
    if (told !== undefined && told !== configured) {
      groups.cgroupDriver = told;
      logger.info("the runtime's cgroup driver is taken instead of the configuration's", {
        told,
        configured,
      });
    }
  } catch (error) {
    if (!isCriError(error, 'UNIMPLEMENTED'))
      logger.warn('the runtime did not say its cgroup driver; the configuration says it', {
        configured,
        error,
      });
  }
  if (groups.cgroupDriver === 'systemd' && !isSystemdBooted())
    logger.error('cgroupDriver: systemd has not started this machine, so that no pod can be made', {
      missing: '/run/systemd/system',
    });
}
