import { kinds } from '@wherry/client';
import {
  type AutoscalingV1HorizontalPodAutoscaler,
  type HorizontalPodAutoscaler,
  type HPAScalingRules,
  StatusError,
} from '@wherry/kubeapi';
import type { Surroundings } from '../surroundings.ts';
import { headLines, metadataLines } from '../text/labels.ts';
import { columns, field, indented, type Lines, section } from '../text/lines.ts';
import { clockTime } from '../text/times.ts';
import { metricLines } from './metrics.ts';

type Any = HorizontalPodAutoscaler | AutoscalingV1HorizontalPodAutoscaler;

/** An autoscaler, in whatever version it was found: as version 2 has it, or, of a server without it, version 1. */
export async function describeAutoscaler(found: Any, surroundings: Surroundings): Promise<Lines> {
  const whole = isSecond(found) ? found : await asSecond(found, surroundings);
  return [
    ...(whole ? secondLines(whole) : firstLines(found as AutoscalingV1HorizontalPodAutoscaler)),
    ...(await surroundings.events(found)),
  ];
}

const isSecond = (found: Any): found is HorizontalPodAutoscaler => found.apiVersion === 'autoscaling/v2';

async function asSecond(
  { metadata: { name = '', namespace } }: Any,
  surroundings: Surroundings,
): Promise<HorizontalPodAutoscaler | undefined> {
  try {
    return await surroundings.get(kinds.horizontalPodAutoscalers, { name, namespace });
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

function headOf({ metadata, spec }: Any): Lines {
  const { kind = '', name = '' } = spec?.scaleTargetRef ?? {};
  return [
    ...headLines(metadata),
    ...metadataLines(metadata),
    field('CreationTimestamp', clockTime(metadata.creationTimestamp)),
    field('Reference', `${kind}/${name}`),
  ];
}

const boundLines = ({ spec }: Any): Lines => [
  field('Min replicas', spec?.minReplicas ?? '<unset>'),
  field('Max replicas', spec?.maxReplicas ?? 0),
];

const podsLine = ({ spec, status }: Any): string =>
  field(
    `${spec?.scaleTargetRef.kind} pods`,
    `${status?.currentReplicas ?? 0} current / ${status?.desiredReplicas ?? 0} desired`,
  );

function secondLines(autoscaler: HorizontalPodAutoscaler): Lines {
  const { spec, status } = autoscaler;
  const { metrics = [], behavior } = spec ?? {};
  const { conditions, currentMetrics } = status ?? {};
  const rows = (conditions ?? []).map(({ type, status, reason, message }) => [type, status, reason, message]);
  return [
    ...headOf(autoscaler),
    field('Metrics', '( current / target )'),
    ...indented(metricLines(metrics, currentMetrics ?? [])),
    ...boundLines(autoscaler),
    ...(behavior
      ? section('Behavior', [
          ...ruleLines('Scale Up', behavior.scaleUp),
          ...ruleLines('Scale Down', behavior.scaleDown),
        ])
      : []),
    podsLine(autoscaler),
    ...(rows.length > 0 ? section('Conditions', columns(['Type', 'Status', 'Reason', 'Message'], rows)) : []),
  ];
}

function firstLines(autoscaler: AutoscalingV1HorizontalPodAutoscaler): Lines {
  const { spec, status } = autoscaler;
  const target = spec?.targetCPUUtilizationPercentage;
  const current = status?.currentCPUUtilizationPercentage ?? '<unknown>';
  return [
    ...headOf(autoscaler),
    ...(target === undefined
      ? []
      : [field('Target CPU utilization', `${target}%`), field('Current CPU utilization', `${current}%`)]),
    ...boundLines(autoscaler),
    podsLine(autoscaler),
  ];
}

function ruleLines(title: string, rules: HPAScalingRules | undefined): Lines {
  if (!rules) return [];
  const { stabilizationWindowSeconds, policies = [], selectPolicy = 'Max' } = rules;
  const policyTexts = policies.map(
    ({ type, value, periodSeconds }) => `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`,
  );
  return section(title, [
    ...(stabilizationWindowSeconds === undefined
      ? []
      : [`Stabilization Window: ${stabilizationWindowSeconds} seconds`]),
    ...(policies.length === 0 ? [] : [`Select Policy: ${selectPolicy}`, ...section('Policies', policyTexts)]),
  ]);
}
