import type { DiscoveredResource } from '@wherry/client';
import type { HorizontalPodAutoscaler, MetricTarget } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { groupVersionOf } from '../../objects/catalog.ts';
import { readTarget } from './metric-target.ts';

/** What an autoscaler is to be like. */
export interface AutoscalerFlags {
  /** Below 1 for what the server takes. */
  min: number;
  max: number;
  cpu?: string;
  /** As `cpu` with a `%`; below 1 for none. Its time is over, as kubectl's. */
  cpuPercent?: number;
  memory?: string;
  name?: string;
  namespace?: string;
}

/** What pods are to take of each resource, on average. */
export type Targets = { name: 'cpu' | 'memory'; target: MetricTarget }[];

/** What flags ask for. Throws `CommandError` for those that contradict each other. */
export function readTargets({ min, max, cpu, cpuPercent, memory }: AutoscalerFlags): Targets {
  if (cpuPercent !== undefined) {
    console.error(
      "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity format (e.g., '70%' for utilization or '500m' for milliCPU).",
    );
  }
  if (max < 1) throw new CommandError(`--max=MAXPODS is required and must be at least 1, max: ${max}`);
  if (max < min)
    throw new CommandError(
      `--max=MAXPODS must be larger or equal to --min=MINPODS, max: ${max}, min: ${min}`,
    );
  const isPercent = cpuPercent !== undefined && cpuPercent > 0;
  if (isPercent && cpu) throw new CommandError('--cpu-percent and --cpu are mutually exclusive');
  const ofCpu = isPercent ? `${cpuPercent}%` : cpu;
  return [
    ...(ofCpu ? [{ name: 'cpu', target: readTarget('cpu', ofCpu) } as const] : []),
    ...(memory ? [{ name: 'memory', target: readTarget('memory', memory) } as const] : []),
  ];
}

/** The autoscaler of an object. */
export function autoscalerOf(
  { resource, name }: { resource: DiscoveredResource; name: string },
  targets: Targets,
  flags: AutoscalerFlags,
): HorizontalPodAutoscaler {
  const { min, max: maxReplicas, namespace } = flags;
  const scaleTargetRef = { kind: resource.kind, name, apiVersion: groupVersionOf(resource) };
  const metrics = targets.map((one) => ({ type: 'Resource', resource: one }));
  return {
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
    metadata: { name: flags.name || name, ...(namespace ? { namespace } : {}) },
    spec: {
      scaleTargetRef,
      ...(min > 0 ? { minReplicas: min } : {}),
      maxReplicas,
      ...(metrics.length > 0 ? { metrics } : {}),
    },
  };
}
