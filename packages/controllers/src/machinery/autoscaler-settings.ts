/** What autoscalers go by where they do not say it themselves, in upstream's flags. */
export interface AutoscalerSettings {
  /** How often each is looked at, in milliseconds (`--horizontal-pod-autoscaler-sync-period`). */
  periodMs: number;
  /** The highest recommendation of so long counts before a target shrinks (`…-downscale-stabilization`). */
  downscaleStabilizationMs: number;
  /** By how much usage may miss its target, as a share of it (`…-tolerance`). */
  tolerance: number;
  /** A pod's processor use counts only while it is ready until it is so old (`…-cpu-initialization-period`). */
  cpuInitializationMs: number;
  /** A pod that turned unready within this time of its start was never ready (`…-initial-readiness-delay`). */
  initialReadinessMs: number;
}

/** Upstream's defaults. */
export const usualAutoscalerSettings: AutoscalerSettings = {
  ...{ periodMs: 15_000, downscaleStabilizationMs: 300_000, tolerance: 0.1 },
  ...{ cpuInitializationMs: 300_000, initialReadinessMs: 30_000 },
};
