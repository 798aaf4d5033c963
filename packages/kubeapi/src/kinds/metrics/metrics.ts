/** What nodes and pods take, as metrics-server tells it (k8s.io/metrics pkg/apis/metrics/v1beta1). */
import type { NodeMetrics, PodMetrics } from '../../generated/types.ts';
import type { KindDefinition } from '../definition.ts';
import { nodePrinter, podPrinter } from './printers.ts';

/** What a node takes. */
export const nodeMetrics: KindDefinition<NodeMetrics> = {
  group: 'metrics.k8s.io',
  kind: 'NodeMetrics',
  printer: nodePrinter,
  descriptions: {
    NodeMetrics: {
      '': 'What a node takes of its processors and memory.',
      timestamp: 'End of the time that was measured.',
      window: 'Length of the time that was measured.',
      usage: 'Processors on average over that time, memory at its end.',
    },
  },
};

/** What the containers of a pod take. */
export const podMetrics: KindDefinition<PodMetrics> = {
  group: 'metrics.k8s.io',
  kind: 'PodMetrics',
  printer: podPrinter,
  descriptions: {
    PodMetrics: {
      '': 'What the containers of a pod take of processors and memory.',
      timestamp: 'End of the time that was measured.',
      window: 'Length of the time that was measured.',
      containers: 'What each container takes.',
    },
    ContainerMetrics: {
      '': 'What one container takes.',
      name: 'The name that the pod gives it.',
      usage: 'Processors on average over the time that was measured, memory at its end.',
    },
  },
};
