import type { KubeClient } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import type { ExtensionPoint, SchedulerFigures } from '../../figures/scheduler-figures.ts';
import type { ClusterView } from '../../machinery/cluster-view.ts';
import { EventRecorder } from '../../machinery/events.ts';
import { ClusterState } from '../cluster/cluster-state.ts';
import type { KnownObjects } from '../cluster/known-objects.ts';
import type { PodInfo } from '../cluster/pod-info.ts';
import { DeviceBinder } from '../devices/device-binder.ts';
import { devicesOf, type PodDevices } from '../devices/pod-devices.ts';
import { DeviceWaits } from '../devices/readiness/device-waits.ts';
import { Extenders } from '../extenders/extenders.ts';
import { defaultProfile, type Profile, type Profiles, schedulerOf } from '../profiles/profile.ts';
import type { SchedulerSetup } from '../profiles/setup.ts';
import { SchedulingQueue } from '../scheduling-queue.ts';
import { ClusterWatch } from '../watch-cluster.ts';
import { PodWrites } from './pod-writes.ts';

/** What a decision is made with, and what follows from it. */
export class SchedulerParts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly figures: SchedulerFigures | undefined;
  readonly profiles: Profiles;
  readonly queue: SchedulingQueue;
  readonly cluster: ClusterState;
  readonly watch: ClusterWatch;
  readonly extenders: Extenders;
  readonly writes: PodWrites;
  readonly binder: DeviceBinder;
  readonly waits = new DeviceWaits();

  constructor(
    { client, clock, logger, figures }: ClusterView,
    objects: KnownObjects,
    { profiles, backoffMs, makeExtenders }: SchedulerSetup,
  ) {
    this.client = client;
    this.clock = clock;
    this.figures = figures?.scheduler;
    this.profiles = profiles;
    this.queue = new SchedulingQueue(backoffMs, (queue, event) => this.figures?.came(queue, event));
    this.cluster = new ClusterState(objects);
    this.watch = new ClusterWatch(this.cluster, this.queue, profiles);
    this.extenders = new Extenders(makeExtenders?.(clock) ?? [], logger);
    const recorderOf = (component: string) => new EventRecorder({ client, clock, logger, component });
    this.writes = new PodWrites({ client, clock, recorderOf });
    const { devices: ledger } = this.cluster;
    this.binder = new DeviceBinder({ client, clock, ledger, claims: objects.deviceClaims });
  }

  /** By a clock that never goes back. */
  nowMs(): number {
    return this.clock.monotonicMs();
  }

  /** A pod keeps the name of its scheduler. */
  profileOf({ pod }: PodInfo): Profile {
    return this.profiles.get(schedulerOf(pod)) ?? defaultProfile;
  }

  /** Undefined: it asks for none, or its profile does not look at devices. */
  devicesOf(info: PodInfo): PodDevices | undefined {
    if (this.profileOf(info).deviceBindingMs === undefined) return undefined;
    return devicesOf(info.pod, this.cluster.objects, this.cluster.devices);
  }

  timed(point: ExtensionPoint, { pod }: PodInfo, work: Promise<void>): Promise<void> {
    return this.figures?.timed({ point, profile: schedulerOf(pod) }, work) ?? work;
  }
}
