import type { Pod } from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import type { FilterPlugin } from '../filters/filter-plugin.ts';
import { filters } from '../filters/filters.ts';
import { type CandidatesEnough, usualCandidates } from '../preemption/find-preemption.ts';
import type { ScorePlugin } from '../scores/score-plugin.ts';
import { scores } from '../scores/scores.ts';

/** What pods go by that name this scheduler. */
export interface Profile {
  schedulerName: string;
  /** Of how many nodes is chosen, in percent; 0: a share that shrinks with their number. */
  percentageOfNodesToScore: number;
  /** In the order in which they are asked. */
  filters: readonly FilterPlugin[];
  scores: readonly ScorePlugin[];
  /** Undefined: nobody has to go for a pod of it. */
  preemption: CandidatesEnough | undefined;
  /** Pods with gates wait. */
  heedsGates: boolean;
  /** How long a pod's volumes may take to be bound, in milliseconds; undefined: they are left to others. */
  volumeBindingMs: number | undefined;
  /** How long a pod's devices may take to be made ready, in milliseconds; undefined: claims are left to others. */
  deviceBindingMs: number | undefined;
}

/** Profiles by the names of their schedulers. */
export type Profiles = ReadonlyMap<string, Profile>;

/** Upstream's profile unless a configuration says otherwise. */
export const defaultProfile: Profile = {
  schedulerName: 'default-scheduler',
  percentageOfNodesToScore: 0,
  filters,
  scores,
  preemption: usualCandidates,
  heedsGates: true,
  volumeBindingMs: limits.volumeBindingMs,
  deviceBindingMs: limits.deviceBindingMs,
};

export const defaultProfiles: Profiles = new Map([[defaultProfile.schedulerName, defaultProfile]]);

/** The name of the scheduler that a pod waits for. */
export const schedulerOf = ({ spec }: Pick<Pod, 'spec'>): string =>
  spec?.schedulerName ?? defaultProfile.schedulerName;
