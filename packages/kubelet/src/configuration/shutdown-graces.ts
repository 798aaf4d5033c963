import { type Gates, isGateOn } from './feature-gates.ts';
import { type FieldType, isMap } from './field-types.ts';

/** How long pods from this priority on may take when the machine shuts down. */
export interface ShutdownGrace {
  priority: number;
  shutdownGracePeriodSeconds: number;
}

/** The fields of a configuration that say how a shutdown goes. Durations in milliseconds. */
export interface ShutdownSettings {
  shutdownGracePeriod: number;
  shutdownGracePeriodCriticalPods: number;
  shutdownGracePeriodByPodPriority: readonly ShutdownGrace[];
}

const names = ['priority', 'shutdownGracePeriodSeconds'] as const;
const priorityMax = 2 ** 31 - 1;

/** The list `shutdownGracePeriodByPodPriority`. */
export function shutdownGraces(): FieldType<readonly ShutdownGrace[]> {
  return {
    initial: [],
    claim: {},
    encode: (value) => value,
    decode(value, path, report) {
      if (!Array.isArray(value)) {
        report.error(path, `${JSON.stringify(value)} is not a list of objects`);
        return [];
      }
      return value.map((item: unknown, index) => {
        const at = `${path}[${index}]`;
        if (!isMap(item)) {
          report.error(at, `${JSON.stringify(item)} is not an object`);
          return { priority: 0, shutdownGracePeriodSeconds: 0 };
        }
        for (const name of Object.keys(item).filter((name) => !names.some((known) => known === name)))
          report.warn(`${at}.${name}`, 'is not known here and has no effect');
        const { priority = 0, shutdownGracePeriodSeconds = 0 } = item;
        if (!isWhole(priority, -priorityMax - 1, priorityMax))
          report.error(
            `${at}.priority`,
            `${JSON.stringify(priority)} is not a priority, a whole number of 32 bits`,
          );
        if (!isWhole(shutdownGracePeriodSeconds, 0, Number.MAX_SAFE_INTEGER))
          report.error(
            `${at}.shutdownGracePeriodSeconds`,
            `${JSON.stringify(shutdownGracePeriodSeconds)} is not a whole number of seconds from 0`,
          );
        return { priority, shutdownGracePeriodSeconds } as ShutdownGrace;
      });
    },
  };
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}

/** What is wrong with them together; upstream: pkg/kubelet/apis/config/validation. */
export function shutdownProblems(settings: ShutdownSettings & { featureGates: Gates }): string[] {
  const { shutdownGracePeriod: whole, shutdownGracePeriodCriticalPods: critical, featureGates } = settings;
  const hasGroups = settings.shutdownGracePeriodByPodPriority.length > 0;
  const isTooShort = (durationMs: number) => durationMs < 0 || (durationMs > 0 && durationMs < 1_000);
  return [
    ...(critical > whole
      ? [
          'shutdownGracePeriodCriticalPods: must not be longer than shutdownGracePeriod, of which it is a part',
        ]
      : []),
    ...(isTooShort(whole) ? ['shutdownGracePeriod: must be 0s, or 1s and longer'] : []),
    ...(isTooShort(critical) ? ['shutdownGracePeriodCriticalPods: must be 0s, or 1s and longer'] : []),
    ...(!isGateOn(featureGates, 'GracefulNodeShutdown') && (whole > 0 || critical > 0)
      ? ['shutdownGracePeriod, shutdownGracePeriodCriticalPods: need the feature gate GracefulNodeShutdown']
      : []),
    ...(!isGateOn(featureGates, 'GracefulNodeShutdownBasedOnPodPriority') && hasGroups
      ? ['shutdownGracePeriodByPodPriority: needs the feature gate GracefulNodeShutdownBasedOnPodPriority']
      : []),
    ...(hasGroups && (whole > 0 || critical > 0)
      ? ['shutdownGracePeriodByPodPriority: can not be given beside shutdownGracePeriod; give one of them']
      : []),
  ];
}
