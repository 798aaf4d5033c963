/** What a probe last said about a container; undefined before it said anything. */
export type Verdict = 'success' | 'failure' | 'unknown' | undefined;

/** The probes' last words, by container ID. */
export interface ProbeVerdicts {
  liveness(containerId: string): Verdict;
  startup(containerId: string): Verdict;
}
