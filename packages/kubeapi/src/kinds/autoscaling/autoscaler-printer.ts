/** The table of autoscalers. */
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../generated/types.ts';
import { age } from '../../table/human-duration.ts';
import { ageColumn, column, nameColumn, type Printer } from '../../table/printer.ts';

const shownMax = 2;
const unknown = '<unknown>';

/** The table of autoscalers. */
export const printer: Printer<HorizontalPodAutoscaler> = {
  columns: [
    ...[nameColumn, column('Reference'), column('Targets'), column('MinPods'), column('MaxPods')],
    ...[column('Replicas'), ageColumn],
  ],
  cells: ({ metadata, spec, status }, nowMs) => [
    ...[metadata?.name ?? '', `${spec.scaleTargetRef?.kind ?? ''}/${spec.scaleTargetRef?.name ?? ''}`],
    targetsText(spec.metrics ?? [], status?.currentMetrics ?? []),
    ...[spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas), spec.maxReplicas ?? 0],
    ...[status?.currentReplicas ?? 0, age(metadata?.creationTimestamp, nowMs)],
  ],
};

function targetsText(metrics: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (metrics.length === 0) return '<none>';
  const shown = metrics.slice(0, shownMax).map((metric, index) => metricText(metric, statuses[index]));
  const hidden = metrics.length - shown.length;
  return hidden > 0 ? `${shown.join(', ')} + ${hidden} more...` : shown.join(', ');
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
    case 'Object': {
      const name = metric.type === 'External' ? 'external' : 'object';
      const [target, current] = [metric[name]?.target, status?.[name]?.current];
      if (target?.averageValue !== undefined)
        return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`;
      return `${current?.value ?? unknown}/${target?.value ?? unknown}`;
    }
    case 'Pods':
      return `${status?.pods?.current?.averageValue ?? unknown}/${metric.pods?.target?.averageValue ?? unknown}`;
    case 'Resource':
    case 'ContainerResource': {
      const name = metric.type === 'Resource' ? 'resource' : 'containerResource';
      const [source, current] = [metric[name], status?.[name]?.current];
      const { averageValue, averageUtilization } = source?.target ?? {};
      const prefix = `${source?.name ?? ''}: `;
      if (averageValue !== undefined) return `${prefix}${current?.averageValue ?? unknown}/${averageValue}`;
      const share = current?.averageUtilization;
      const target = averageUtilization === undefined ? '<auto>' : `${averageUtilization}%`;
      return `${prefix}${share === undefined ? unknown : `${share}%`}/${target}`;
    }
    default:
      return '<unknown type>';
  }
}
