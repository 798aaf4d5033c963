import { join } from 'node:path';
import { ConfigurationError } from '../../configuration/configuration-error.ts';
import type { RoomsBelow } from '../rooms-below.ts';
import { ClaimDrivers } from './claim-drivers.ts';
import { ClaimManager } from './claim-manager.ts';
import { ClaimViews } from './claim-views.ts';
import { DeviceHealths } from './device-health.ts';
import { listenToHealth } from './health-listener.ts';
import { SliceWiper } from './slice-wiper.ts';

/** The claims on devices that this node prepares. */
export interface Claims {
  manager: ClaimManager;
  views: ClaimViews;
  drivers: ClaimDrivers;
  /** Takes away what drivers published that are not there any more. */
  begin(): void;
  close(): void;
}

/** Fifteen bounds from a tenth of a second to 40 s, as upstream has them. */
const buckets = Array.from({ length: 15 }, (_, step) => 0.1 * 400 ** (step / 14));

/** Builds them; nothing is asked yet. Throws ConfigurationError where what an earlier kubelet noted can't be read. */
export function assembleClaims({ ground, board }: RoomsBelow): Claims {
  const { client, clock, logger, metrics, paths, nodeName } = ground;
  const wake = (uids: Iterable<string>) => {
    for (const uid of uids) board.signals.objectChanged(uid);
  };
  const stopped = new AbortController();
  const healths = new DeviceHealths(join(paths.rootDir, 'dra_health_state'), clock);
  try {
    healths.load();
  } catch (error) {
    logger.warn('what drivers said of their devices can not be read; they will say it again', { error });
  }
  const wiper = new SliceWiper({ client, nodeName, clock, logger, signal: stopped.signal });
  const drivers = new ClaimDrivers({
    wiper,
    clock,
    durations: metrics.histogram(
      'dra_grpc_operations_duration_seconds',
      'Seconds that calls of drivers of claims took, by driver, method and code.',
      buckets,
    ),
    onAdded(driver, gone) {
      const onChanged = (places: Parameters<ClaimViews['usersOf']>[0]) => wake(views.usersOf(places));
      void listenToHealth(driver, { healths, clock, logger, onChanged }, gone);
      wake(manager.waiting);
    },
  });
  const manager = asConfigured(
    () =>
      new ClaimManager({
        ...{ client, clock, logger },
        path: join(paths.rootDir, 'dra_manager_state'),
        durations: metrics.histogram(
          'dra_operations_duration_seconds',
          'Seconds that it took to prepare or unprepare all claims of a pod, by operation and whether it failed.',
          buckets,
        ),
        driver: (name) => drivers.get(name),
      }),
  );
  const views = new ClaimViews(manager.claims, healths);
  const told = new Set<string>();
  const inUse = metrics.gauge(
    'dra_resource_claims_in_use',
    'Claims that are prepared, by driver, and all together under <any>.',
    () => {
      const counts = manager.claims.inUse;
      for (const name of told) if (!counts.has(name)) inUse.forget({ driver_name: name });
      told.clear();
      for (const [name, count] of counts) {
        told.add(name);
        inUse.set(count, { driver_name: name });
      }
    },
  );
  return {
    ...{ manager, views, drivers },
    begin: () => wiper.begin(),
    close() {
      stopped.abort(new Error('the kubelet is stopping'));
      manager.close();
      drivers.close();
    },
  };
}

function asConfigured<Result>(build: () => Result): Result {
  try {
    return build();
  } catch (error) {
    throw new ConfigurationError([(error as Error).message]);
  }
}
