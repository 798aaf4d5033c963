import { limits } from '../../limits.ts';
import type { MakeExtenders } from '../extenders/build-extenders.ts';
import type { BackoffMs } from '../scheduling-queue.ts';
import { defaultProfiles, type Profiles } from './profile.ts';

/** What a scheduler goes by. */
export interface SchedulerSetup {
  profiles: Profiles;
  backoffMs: BackoffMs;
  /** Makes those who have a say beside the profiles. Default: nobody. */
  makeExtenders?: MakeExtenders | undefined;
}

/** Upstream's default profile, and a back-off that begins sooner: one node has few pods that wait. */
export const usualSetup: SchedulerSetup = {
  profiles: defaultProfiles,
  backoffMs: limits.schedulingBackoffMs,
};
