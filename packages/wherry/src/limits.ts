/** Bounds of the command line. Times in milliseconds. */
export const limits = {
  /** Pause between two looks at the demo pod, whose start is waited for. */
  demoPollMs: 15,
  /** Pause between two looks at a pod that is about to run. */
  podPollMs: 100,
  /** How long a plug-in's program for completion may take, and bytes of what it says. */
  completionTimeoutMs: 5_000,
  completionBytesMax: 1024 * 1024,
  /** How many objects of a list are asked for at once, unless `--chunk-size` says it; kubectl's. */
  listChunkSize: 500,
  /** How deep actions, and how deep parentheses of a template stand in each other; Go takes 10,000 parentheses. */
  templateNestingMax: 250,
  /** How deep templates call each other, actions in between counted too; Go takes 100,000 templates. */
  templateDepthMax: 500,
  /** Bytes of a file of manifests that is fetched from a URL. */
  manifestBytesMax: 16 * 1024 * 1024,
  /** How long fetching it may take. */
  manifestDownloadTimeoutMs: 60_000,
  /** Bytes of the head of a request to `wherry proxy`: what Go's servers take. */
  proxyHeadBytesMax: 1024 * 1024,
  /** Pause before a watch that has ended is taken up again. */
  watchPauseMs: 500,
  /** A watch ends with a failure when the API server has been away for so long. */
  watchOutageMs: 60_000,
  /** Bytes of one event of a watch. */
  watchEventBytesMax: 16 * 1024 * 1024,
  /** What `wait` takes for as long as it takes: a week, as kubectl. */
  waitTimeoutMsMax: 7 * 24 * 3_600_000,
  /** How often client-side apply tries again against other writers, and the pause before all but the first time, as kubectl. */
  applyRetriesMax: 5,
  applyRetryMs: 1_000,
  /** How long `replace --force` and `apply --force` wait until what they delete is gone, as kubectl's `replace`. */
  forcedReplaceTimeoutMs: 300_000,
  /** Pause before an eviction that a disruption budget did not allow is tried again, as kubectl's. */
  evictionRetryMs: 5_000,
  /** How long `scale` tries again against other writers, and the pause between two tries, and two looks at how many there are. */
  scaleConflictTimeoutMs: 300_000,
  scalePollMs: 1_000,
  /** How often `certificate` tries again against other writers, as kubectl. */
  approvalRetriesMax: 10,
  /** How long a container's status is looked at for the end of its process. */
  endToldWithinMs: 5_000,
  /** Pause between two looks at whether a deleted object is gone. */
  deletionPollMs: 100,
  /** Pause before the log of a container that has yet to start is asked for again. */
  logStartPollMs: 1_000,
  /** Bytes of a hop's list of sessions, and of one event of its watch. */
  sessionListBytesMax: 16 * 1024 * 1024,
  sessionEventBytesMax: 1024 * 1024,
  /** How long one hop may take to answer with its list, and how many are asked at once. */
  sessionHopTimeoutMs: 10_000,
  sessionHopsAtOnce: 8,
  /** Nodes whose kubelets are asked; `--node` names one of more. */
  sessionNodesMax: 256,
  /** A watch of sessions from which nothing comes for so long, not even a sign of life, is begun again. */
  sessionWatchSilenceMs: 45_000,
  /** First and longest pause before a hop whose watch has ended is asked again. */
  sessionRetryMs: { initialMs: 500, maxMs: 5_000 },
  /** A watch of sessions ends with a failure when the API server has been away for so long. */
  sessionOutageMs: 60_000,
  /** What changes is collected for so long before rows are printed, and rows are printed at most so often. */
  sessionSettleMs: 200,
  sessionRowsEveryMs: 1_000,
  /** How often a watch of sessions looks for nodes that have joined or gone. */
  sessionNodesEveryMs: 10_000,
  /** Sessions of one hop that a watch holds. */
  sessionsHeldMax: 2_048,
  /** How long a session that has ended is remembered, so that it is told of once: longer than its hops tell of it. */
  sessionEndedForMs: 6 * 60_000,
} as const;
