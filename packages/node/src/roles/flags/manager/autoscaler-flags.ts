/** Flags of `wherry controllers` for what autoscalers go by where they do not say it; names and defaults are kube-controller-manager's. */
import type { AutoscalerSettings } from '@wherry/controllers';
import { type Command, InvalidArgumentError } from 'commander';
import { parseLifetimeMs, parseTimeMs } from '../flag-values.ts';

/** As commander hands them over. */
export interface AutoscalerFlags {
  horizontalPodAutoscalerSyncPeriod?: number;
  horizontalPodAutoscalerDownscaleStabilization?: number;
  horizontalPodAutoscalerTolerance?: number;
  horizontalPodAutoscalerCpuInitializationPeriod?: number;
  horizontalPodAutoscalerInitialReadinessDelay?: number;
}

/** Adds them to a command. */
export function addAutoscalerFlags(command: Command): Command {
  const name = '--horizontal-pod-autoscaler';
  return command
    .option(
      `${name}-sync-period <duration>`,
      'how often autoscalers are looked at (default: 15s)',
      parseTimeMs,
    )
    .option(
      `${name}-downscale-stabilization <duration>`,
      'the highest recommendation of so long counts before a target shrinks (default: 5m)',
      parseLifetimeMs,
    )
    .option(
      `${name}-tolerance <share>`,
      'by how much usage may miss its target (default: 0.1)',
      parseTolerance,
    )
    .option(
      `${name}-cpu-initialization-period <duration>`,
      'use of processors counts only of ready pods until they are so old (default: 5m)',
      parseLifetimeMs,
    )
    .option(
      `${name}-initial-readiness-delay <duration>`,
      'a pod that turned unready within this time of its start was never ready (default: 30s)',
      parseLifetimeMs,
    );
}

function parseTolerance(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('expected a number from 0 on');
  return Number(text);
}

/** What they say. */
export function autoscalerSettingsOf(flags: AutoscalerFlags): Partial<AutoscalerSettings> {
  const settings: { [K in keyof AutoscalerSettings]: number | undefined } = {
    periodMs: flags.horizontalPodAutoscalerSyncPeriod,
    downscaleStabilizationMs: flags.horizontalPodAutoscalerDownscaleStabilization,
    tolerance: flags.horizontalPodAutoscalerTolerance,
    cpuInitializationMs: flags.horizontalPodAutoscalerCpuInitializationPeriod,
    initialReadinessMs: flags.horizontalPodAutoscalerInitialReadinessDelay,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
