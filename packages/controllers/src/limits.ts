/** Bounds and periods of the controllers. */
export const limits = {
  /** First and longest wait before what failed is tried again, in milliseconds. */
  retryMs: { initialMs: 50, maxMs: 30_000 },
  /** How often tokens in secrets are looked at, and how long one may go unused, in milliseconds (upstream's defaults). */
  legacyTokenSweepMs: 86_400_000,
  legacyTokenUnusedMs: 8_760 * 3_600_000,
  /** How long a volume that no pod wants stays on a node that is not ready and has not let go of it, in milliseconds. */
  forcedDetachMs: 360_000,
  /** How long a driver's attacher may be silent before pods are told, again and again, in milliseconds (upstream's csiTimeout). */
  attachMs: 120_000,
  /** How long a controller waits to be shown what it wrote itself, in milliseconds (upstream's ExpectationsTimeout). */
  unseenWriteMs: 300_000,
  /** How often it looks whether it has been, in milliseconds; mostly a change tells sooner. */
  unseenPollMs: 1_000,
  /** Pods that one replica set creates or deletes in one turn, and a stateful set at once (BurstReplicas, MaxBatchSize). */
  burstReplicas: 500,
  /** First and longest wait before a failed pod of a job is replaced, in milliseconds (DefaultJobPodFailureBackOff). */
  jobBackoffMs: { initialMs: 10_000, maxMs: 600_000 },
  /** Pods of a job whose end stands in its status before they are counted (upstream's MaxUncountedPods). */
  uncountedPodsMax: 500,
  /** First and longest wait before a failed pod of a daemon set is replaced, in milliseconds (upstream: the same). */
  daemonBackoffMs: { initialMs: 1_000, maxMs: 900_000 },
  /** How long an evicted pod may take to be deleted before it counts again, in milliseconds (DeletionTimeout). */
  disruptionMs: 120_000,
  /** How soon a service that waits for a port of the machine looks again whether it is free, in milliseconds. */
  takenPortRetryMs: 15_000,
  /** Ports of the machine that one service of type LoadBalancer may hold, and all of them: what is held no program of the machine can connect from. */
  heldPortsPerServiceMax: 256,
  heldPortsMax: 4_096,
  /** Endpoints in one slice (upstream's --max-endpoints-per-slice). */
  endpointsPerSlice: 100,
  /** Addresses in one Endpoints object; more are left out (upstream's maxCapacity). */
  endpointsAddressesMax: 1_000,
  /** How long a deleted range of service addresses stays that nobody needs, in milliseconds (deletionGracePeriod). */
  serviceRangeGraceMs: 10_000,
  /** Steps after which the search for devices on one node gives up (upstream: after 10 s). */
  deviceSearchStepsMax: 100_000,
  /** How long devices may take to be made ready for a pod, in milliseconds (upstream: bindingTimeout of DynamicResourcesArgs). */
  deviceBindingMs: 600_000,
  /** How long a pod's volumes may take to be bound, in milliseconds (upstream: bindTimeoutSeconds of VolumeBindingArgs). */
  volumeBindingMs: 600_000,
  /** The longest file of a scheduler's configuration, in bytes. */
  configurationBytesMax: 1024 * 1024,
  /** Connections to one extender. */
  extenderConnectionsMax: 16,
  /** The longest answer of an extender, in bytes: it may hold every node. */
  extenderAnswerBytesMax: 64 * 1024 * 1024,
  /** Signs of what an extender says of a node, or of an error, that pods are told. */
  extenderReasonMax: 1_024,
  /** Compiled selectors of devices that are kept. */
  deviceSelectorsMax: 500,
  /** Nodes that are looked after at once (upstream's nodeUpdateWorkerSize). */
  nodesAtOnce: 8,
  /** Pods that are bound at once. */
  bindConcurrency: 16,
  /** First and longest wait before a pod that was refused is looked at again although something changed, in milliseconds. */
  schedulingBackoffMs: { initialMs: 50, maxMs: 10_000 },
  /** After so long it is looked at again without a change, in milliseconds (podMaxInUnschedulablePodsDuration). */
  unschedulableMs: 300_000,
  /** How long claims of devices of a new pod may take to be made before its status tells that they are missing, in milliseconds. */
  claimPatienceMs: 1_000,
  /** How often a pod whose claims are being bound is looked at, in milliseconds; mostly a change tells sooner. */
  storageRecheckMs: 10_000,
  /** First and longest wait before a terminating namespace of which nothing went is looked at again, in milliseconds. */
  namespacePollMs: { initialMs: 250, maxMs: 4_000 },
  /** Objects of one kind that are looked at in one pass over such a namespace. */
  namespacePageSize: 500,
  /** How often the server is asked which kinds it serves, in milliseconds (upstream: the same). */
  discoveryPeriodMs: 30_000,
  /** The same after a definition of a kind has come, changed or gone. */
  discoverySoonMs: 200,
  /** How long the garbage collector waits for its first lists, in milliseconds (upstream's initialSyncTimeout). */
  firstListsMs: 30_000,
  /** How often an owner of a kind that can't be watched is looked at again, in milliseconds. */
  ownerRecheckMs: 30_000,
  /** Wait before finalizers are served while the dependents of some kind are not known, in milliseconds. */
  incompleteRetryMs: 500,
  /** Owners of one object that the server is asked for at one time. */
  ownersAtOnce: 10,
  /** Owner references that lead nowhere which are remembered, as upstream. */
  absentOwnersMax: 500,
  /** Times that a change is made anew because somebody else wrote in between. */
  conflictAttemptsMax: 5,
  /** A leader that has not stopped so long after its lease ended is told of as unwell (upstream: 20 s). */
  leaseOverdueMs: 20_000,
  /** Pause before a node that could not be tainted is tried again, in milliseconds (upstream's NodeEvictionPeriod). */
  nodeTaintRetryMs: 100,
  /** How often all quotas are worked out anew, in milliseconds (upstream's resource-quota-sync-period). */
  quotaResyncMs: 300_000,
  /** How often orphaned and finished pods are swept, in milliseconds. */
  podSweepMs: 20_000,
  /** Finished pods kept before the oldest are deleted (terminated-pod-gc-threshold). */
  finishedPodsMax: 12_500,
  /** How long an issued certificate holds unless less is asked for, in milliseconds (--cluster-signing-duration). */
  certificateLifetimeMs: 365 * 24 * 3_600_000,
  /** The least that an issued certificate holds, whatever is asked for, in milliseconds. */
  certificateLifetimeMsMin: 10 * 60_000,
  /** How often a kubelet's request is looked at again whose user lacks the right, in milliseconds. */
  approvalRecheckMs: 30_000,
  /** How often stale requests for certificates are swept, in milliseconds (upstream's pollingInterval). */
  requestSweepMs: 3_600_000,
  /** How long requests stay that were answered, and those that nobody answered, in milliseconds. */
  answeredRequestAgeMs: 3_600_000,
  openRequestAgeMs: 24 * 3_600_000,
  /** How long who serves custom and external metrics may take to answer, in milliseconds (as long as the API server gives it). */
  metricsAnswerMs: 60_000,
  /** How long the token of a controller's account holds, the least that is believed of it, and the share of that after which it is asked for anew (upstream's). */
  accountTokenLifeMs: 3_600_000,
  accountTokenLifeMsMin: 600_000,
  accountTokenAgeShare: 0.8,
} as const;
