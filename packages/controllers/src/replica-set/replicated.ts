import { kinds, type ResourceType } from '@wherry/client';
import {
  type LabelMatcher,
  matcherFrom,
  matcherFromMap,
  type ObjectMeta,
  type PodTemplateSpec,
  type ReplicaSet,
  type ReplicaSetStatus,
  type ReplicationController,
} from '@wherry/kubeapi/objects';

/** An object that keeps a number of pods of one template: ReplicaSet or ReplicationController. */
export interface Replicated {
  metadata: ObjectMeta;
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    selector?: unknown;
    template?: PodTemplateSpec;
  };
  status?: ReplicaSetStatus;
}

/** What tells the two kinds apart. */
export interface ReplicatedKind<T extends Replicated> {
  type: ResourceType<T>;
  /** The controller's name, as upstream has it. */
  name: string;
  /** Who signs its events, and the account that it acts as. */
  component: string;
  /** Whether the status counts pods that are being deleted. */
  countsTerminating: boolean;
  matcherOf(object: T): LabelMatcher;
}

/** apps/v1 ReplicaSet. */
export const replicaSets: ReplicatedKind<ReplicaSet> = {
  type: kinds.replicaSets,
  name: 'replicaset-controller',
  component: 'replicaset-controller',
  countsTerminating: true,
  matcherOf: ({ spec }) => matcherFrom(spec.selector),
};

/** v1 ReplicationController, whose selector is a map. */
export const replicationControllers: ReplicatedKind<ReplicationController> = {
  type: kinds.replicationControllers,
  name: 'replicationcontroller-controller',
  component: 'replication-controller',
  countsTerminating: false,
  matcherOf: ({ spec }) => (spec.selector ? matcherFromMap(spec.selector) : matcherFrom(undefined)),
};
