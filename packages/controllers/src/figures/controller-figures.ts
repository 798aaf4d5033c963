import type { Clock } from '@wherry/clock';
import type { MetricsRegistry } from '@wherry/telemetry';
import { AutoscalerFigures } from './autoscaler-figures.ts';
import { ElectionFigures } from './election-figures.ts';
import { JobFigures } from './job-figures.ts';
import { NodeFigures } from './node-figures.ts';
import { QueueFigures } from './queue-figures.ts';
import { SchedulerFigures } from './scheduler-figures.ts';

/** What controllers tell of themselves, of one manager or of two: made once, however often they lead. */
export class ControllerFigures {
  readonly queues: QueueFigures;
  readonly election: ElectionFigures;
  /** Undefined where nobody schedules. */
  readonly scheduler: SchedulerFigures | undefined;
  /** Undefined where there are no other controllers. */
  readonly manager: ManagerFigures | undefined;

  /** Throws when the names are taken in the registry. */
  constructor(
    metrics: MetricsRegistry,
    {
      clock,
      managers,
    }: { clock: Clock; managers: readonly ('kube-scheduler' | 'kube-controller-manager')[] },
  ) {
    this.queues = new QueueFigures(metrics, clock);
    this.election = new ElectionFigures(metrics);
    if (managers.includes('kube-scheduler')) this.scheduler = new SchedulerFigures(metrics, clock);
    if (managers.includes('kube-controller-manager')) this.manager = new ManagerFigures(metrics, clock);
  }
}

/** Of single controllers. */
export class ManagerFigures {
  readonly nodes: NodeFigures;
  readonly autoscaler: AutoscalerFigures;
  readonly jobs: JobFigures;

  constructor(metrics: MetricsRegistry, clock: Clock) {
    this.nodes = new NodeFigures(metrics);
    this.autoscaler = new AutoscalerFigures(metrics, clock);
    this.jobs = new JobFigures(metrics, clock);
  }
}
