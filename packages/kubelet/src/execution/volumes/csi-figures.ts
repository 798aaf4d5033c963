import type { Clock } from '@wherry/clock';
import { CriError, goName } from '@wherry/cri/grpc';
import type { Histogram, MetricsRegistry } from '@wherry/telemetry';

/** Upstream's bounds of what is done with volumes, in seconds. */
export const storageBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

/** What calls of drivers are timed by. */
export interface CsiFigures {
  clock: Clock;
  /** Seconds, by driver, method and code. */
  durations: Histogram;
}

/** The family of upstream's name. */
export function csiFigures(metrics: MetricsRegistry, clock: Clock): CsiFigures {
  const durations = metrics.histogram(
    'csi_operations_seconds',
    'Seconds that calls of CSI drivers took, by driver, method and code.',
    storageBuckets,
  );
  return { clock, durations };
}

type Call = (...words: unknown[]) => Promise<unknown>;

/** The same node service of a driver, timed. Nothing here is migrated from what Kubernetes once had built in. */
export function measuredNode<Service extends object>(
  node: Service,
  driver: string,
  { clock, durations }: CsiFigures,
): Service {
  const measured = Object.entries(node).map(([name, call]) => {
    const method = `/csi.v1.Node/${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const timed: Call = async (...words) => {
      const startedMs = clock.monotonicMs();
      let code = 'OK';
      try {
        return await (call as Call)(...words);
      } catch (error) {
        code = goName(CriError.from(error).code);
        throw error;
      } finally {
        durations.observe((clock.monotonicMs() - startedMs) / 1_000, {
          ...{ driver_name: driver, method_name: method, grpc_status_code: code, migrated: 'false' },
        });
      }
    };
    return [name, timed];
  });
  return Object.fromEntries(measured) as Service;
}
