/** The kubelet's bounds and periods. Sizes end in Bytes, times in Ms or Seconds, counts in Max. */

/** Longest time between two full lists of the runtime while its event stream works. */
export const relistWithEventsMs = 10_000;
/** Time between two full lists when the runtime sends no events. */
export const relistMs = 1_000;
/** A list that has not succeeded for this long makes the node NotReady. */
export const relistUnhealthyMs = 180_000;
/** Time before a broken event stream is opened anew. */
export const eventStreamRetryMs = 1_000;
/** An event stream that has stood for this long is relied upon: full lists become rare. */
export const eventStreamProvenMs = 2_000;

/** How long a runtime may take to name its driver of control groups before the kubelet serves. */
export const driverAnswerMs = 5_000;
/** How long a kubelet that can't start waits for its events to reach the API server. */
export const lastEventsMs = 5_000;
/** Folders below each other in a persistent volume that is given to an fsGroup. */
export const volumeDepthMax = 1_000;
/** Its pod is told so when that takes as long, and how far it is each time as much has passed again. */
export const groupChangeSlowMs = 30_000;
export const groupChangeTellMs = 60_000;
/** Between two turns of gathering processes for `systemCgroups`, and how often one turn looks for more. */
export const gatherMs = 60_000;
export const gatherRoundsMax = 11;
/** Time between two runs of the clean-up of pods, directories and back-off entries. */
export const housekeepingMs = 2_000;
/** Longest wait of one turn of it for the volumes of a pod that is gone; they are removed beside it then. And for those of others in the same turn. */
export const removalPatienceMs = 1_000;
export const laterRemovalPatienceMs = 50;
/** Processes of a container, and files of each, that are looked at when it is counted what they have open. */
export const figureProcessesMax = 256;
export const figureFilesMax = 4_096;
/** Time between two removals of dead containers and sandboxes. */
export const garbageMs = 60_000;
/** A container that was made and never started counts as dead after this time. */
export const createdDeadMs = 60_000;
/** Time between two looks at the kernel's log, and records that one look takes from it. */
export const kernelLogMs = 1_000;
export const kernelRecordsMax = 2_000;
/** Time between two measurements of what the node is short of (upstream's evictionMonitoringPeriod). */
export const pressureMs = 10_000;
/** Longest wait for the sizes of volumes that were never measured, while a pod to evict is sought. */
export const usagePatienceMs = 30_000;
/** Sizes of volumes are measured again when older than this (upstream's volumeStatsAggPeriod). */
export const volumeUsageAgeMs = 60_000;
/** Longest wait for preempted pods to be gone before the critical one begins: the longest grace times the factor, or this. */
export const preemptionPatience = { leastMs: 10_000, graceFactor: 1.5 };
/** Longest wait for an evicted pod to be gone before another one may go. */
export const evictedGoneMs = 30_000;
/** Time between two looks whether pods that were told to go are gone. */
export const goneCheckMs = 250;
/** Longest answer of logind, and of the tools that ask it. */
export const logindAnswerMs = 10_000;
/** First and longest delay before the watch over shutdowns of the machine is begun anew. */
export const shutdownWatchBackoff = { initialMs: 1_000, maxMs: 60_000 };
/** Tries to see the longest delay that logind was told of, and the first delay between them; each doubles. */
export const inhibitDelayTriesMax = 5;
export const inhibitDelayPollMs = 100;
/** Time between two collections of unused images. */
export const imageCollectionMs = 300_000;
/** Time between two asks for the runtime's status. */
export const runtimeStatusMs = 5_000;
/** A runtime without a good status for this long counts as down. */
export const runtimeDownMs = 30_000;

/** First and longest delay before a crashed container starts again, and how long it must run to start afresh. */
export const crashBackoff = { initialMs: 10_000, maxMs: 300_000, resetMs: 600_000 };
/** Time after which resizes that wait are looked at again: after the start, and later. */
export const resizeRetry = { firstMs: 30_000, periodMs: 180_000 };
/** First and longest delay before a failed image pull is tried again. */
export const pullBackoff = { initialMs: 10_000, maxMs: 300_000, resetMs: 600_000 };
/** Delay before a pod whose sync failed is tried again. */
export const syncErrorRetryMs = 10_000;
/** The same while the container runtime does not answer. */
export const runtimeAwayRetryMs = 1_000;
/** The same while the pod network is not ready. */
export const networkNotReadyRetryMs = 1_000;

/** Least grace a container gets between the stop signal and the kill. */
export const containerGraceSecondsMin = 2;
/** Grace of pods that no source names. */
export const orphanGraceSeconds = 1;

/** Pods whose status patches may be under way at once. */
export const statusPatchesMax = 16;
/** Time before a status that could not be written is tried again. */
export const statusRetryMs = { initialMs: 1_000, maxMs: 10_000 } as const;
/** Time between two comparisons of every status with the API server's copy. */
export const statusReconcileMs = 10_000;

/** Image pulls under way at once when the configuration asks for parallel pulls without a number. */
export const parallelPullsMax = 10;

/** Bytes of a termination message file that count. */
export const terminationMessageBytesMax = 4_096;
/** Bytes and lines of the log that stand in for an empty termination message. */
export const terminationLogBytesMax = 2_048;
export const terminationLogLinesMax = 80;
/** Bytes of a log's end that are looked at for them: one record of 16 KiB, and the heads of short lines. */
export const terminationLogEndBytes = 32 * 1_024;
/** Bytes that all termination messages of a pod share. */
export const terminationMessagesBytesMax = 12 * 1_024;

/** Bytes of a probe's answer that are read. */
export const probeOutputBytesMax = 10 * 1_024;
/** Bytes of the head of such an answer (Go: 10 MiB). */
export const probeHeadBytesMax = 1024 * 1_024;
/** Times a probe that errors (not fails) is run at once. */
export const probeTriesMax = 3;

/** Longest wait for the manifests behind a URL. */
export const manifestRequestMs = 10_000;
/** Size of one manifest file, or of an answer with manifests. */
export const manifestBytesMax = 10 * 1_024 * 1_024;

/** Cached answers of the token and access reviews. */
export const reviewCacheMax = 4_096;

/** How often the API server is asked who somebody is or what he may, and how long is waited in between, as upstream. */
export const reviewTriesMax = 5;
export const reviewBackoff = { initialMs: 500, maxMs: 2_000, factor: 1.5, jitter: 0.2 };
/** Bytes of a request's head: commands to run stand in its first line. What the API server takes fits, rewritten. */
export const requestHeadBytesMax = 320 * 1_024;
/** A request's head is there by then, and TLS agreed on, or the connection ends. */
export const requestHeadMs = 32_000;
/** Idle time before a kept-alive connection to the kubelet is closed. */
export const keepAliveMs = 90_000;

/** Time between two looks whether a certificate was issued, and the longest wait for one. */
export const certificatePollMs = 1_000;
export const certificateWaitMs = 15 * 60_000;
/** First and longest delay before a certificate is asked for again. */
export const certificateRetry = { initialMs: 2_000, maxMs: 10 * 60_000 };
/** Time between two looks whether a certificate still names all addresses. */
export const certificateHostsMs = 10_000;
/** First and longest delay before a kubelet that could not join tries again. */
export const joinRetryMs = { initialMs: 1_000, maxMs: 10_000 };
/** How long a kubelet that joins waits for the API server to take connections. */
export const bootstrapConnectMs = 60_000;
/** Time between two looks at the files of certificates and authorities that the server uses. */
export const servingFilesMs = 5_000;
/** Bytes of a log file that are read at once. */
export const logReadBytes = 256 * 1_024;
/** Room before them for an unfinished entry: one of a CRI log has 16 KiB and its head. Longer ones are copied. */
export const logRestBytes = 32 * 1_024;
/** Longest entry of a log; what goes on for longer is no log, and is left out. Runtimes cut lines at 16 KiB unless told otherwise. */
export const logEntryBytesMax = 4 * 1_024 * 1_024;
/** Longest wait for a log file change before the reader looks again. */
export const logPollMs = 1_000;
/** Entries that the list of a folder of `/logs/` shows. */
export const systemLogEntriesMax = 10_000;
/** Length of a profile when the request names none, and the longest. */
export const profileSecondsDefault = 30;
export const profileSecondsMax = 300;
/** Bytes of the body that sets the level of the log, and the highest level. */
export const verbosityBytesMax = 16;
export const verbosityMax = 0xff_ff_ff_ff;
/** Time between two looks at log sizes never falls below this. */
export const logMonitorMsMin = 3_000;

/** Tries to take one lease renewal through before the next period. */
export const leaseRenewTriesMax = 5;
/** Time from a kubelet's start after which it reports its node even if that is not ready yet. */
export const firstReportMs = 5_000;
/** Time between two looks whether the API server has the node's newest status. */
export const saidPollMs = 50;
/** Tries to take one node status through before the next period. */
export const nodeStatusTriesMax = 5;
/** A node that was never Ready is looked at so often for so long: what it waits for may be in its object (upstream: nodeReadyGracePeriod). */
export const firstLooksMs = 1_000;
export const firstReadyMs = 120_000;
/** Time to read the node's object anew for a pod that it keeps out; then the pod is judged by what was known. */
export const nodeLookMs = 10_000;
/** First and longest delay between two tries to register the node. */
export const registerBackoff = { initialMs: 100, maxMs: 7_000 };

/** Entries of the container error memory that feeds waiting reasons. */
export const waitingReasonsMax = 1_000;
/** Time before a failed volume is tried again: first and longest delay. */
export const volumeBackoff = { initialMs: 500, maxMs: 122_000 };
/** Longest call of a CSI driver, and longest wait for a volume to be attached (upstream's csiTimeout). */
export const csiCallMs = 120_000;
/** A driver is asked anew after this time, even where its object says a longer one (nodeAllocatableUpdatePeriodSeconds). */
export const csiReportMsMax = 24 * 3_600_000;
/** First and longest time between two looks whether a volume is attached. */
export const attachPollMs = { initialMs: 100, maxMs: 1_000 };
/** Time between two looks for plug-ins that came or went. */
export const plugInPollMs = 1_000;
/** Longest wait for a plug-in that registers: to say what it is, and to take the answer. */
export const plugInCallMs = 10_000;
/** Sockets of plug-ins that are looked at, and folders below each other among them. */
export const plugInsMax = 256;
export const plugInDepthMax = 4;
/** Characters of a runtime's name, its version, and the reasons and messages of its conditions: they stand in the node's status. */
export const runtimeWordsMax = 4_096;
/** Largest answer of a plug-in of any kind (upstream: what Go's gRPC takes), and what one says of itself. */
export const plugInAnswerBytesMax = 4 * 1_024 * 1_024;
export const plugInWordsMax = 1_024;
export const plugInVersionsMax = 64;
/** Entries of the folder of plug-ins that are looked at, and device plug-ins that register at once. */
export const plugInEntriesMax = 4_096;
export const deviceRegistrationsMax = 64;
/** What a plug-in tells by itself, over and over, is taken so often, and has at most this share of the kubelet's time. */
export const plugInTold = { perSecond: 5, burst: 10, timeShare: 0.1 };
/** What a device plug-in may have a container be given, and a DRA driver for a claim: it is written down with every change. */
export const deviceSettingsBytesMax = 256 * 1_024;
export const claimSettingsCharactersMax = 256 * 1_024;
/** Longest id of a device that a plug-in tells of: those of a pod's devices stand in its status. */
export const deviceIdMax = 1_024;
/** Length of a node's id to a CSI driver, as the API server takes it, and how many labels say where the node is. */
export const csiNodeIdBytesMax = 256;
export const csiTopologyLabelsMax = 64;
/** Longest answer of a device plug-in, and the longest to a container that starts (upstream's 30 s). */
export const deviceCallMs = 60_000;
export const devicePreStartMs = 30_000;
/** Resources whose plug-in has been gone for so long are no more. */
export const deviceGraceMs = 5 * 60_000;
/** Calls of the pod-resources API. */
export const podResourcesRate = { perSecond: 100, burst: 10 };
/** Longest answer of a driver that prepares claims on devices (upstream's 45 s). */
export const claimCallMs = 45_000;
/** Time between two looks for claims whose pods are gone. */
export const claimReconcileMs = 60_000;
/** A driver that is away for so long is taken to be gone, and its slices with it. */
export const sliceGraceMs = 30_000;
/** First and longest delay before slices are tried to be removed again. */
export const sliceBackoff = { initialMs: 1_000, maxMs: 5 * 60_000 };
/** Time between two tries to hear of the health of a driver's devices. */
export const deviceHealthRetryMs = 5_000;
/** What is heard of a device's health holds for so long, unless its driver says another time. */
export const deviceHealthMs = 30_000;
/** Devices of a driver whose health is kept, the longest name of one and of its pool, and the longest word (upstream's 1024 characters). */
export const deviceHealthsMax = 4_096;
export const deviceNameMax = 253;
export const deviceHealthWordsMax = 1_024;
/** Longest time that a word of a device's health holds, whatever its driver says. */
export const deviceHealthSecondsMax = 365 * 24 * 3_600;
/** First and longest delay before a plug-in that could not be registered is asked again. */
export const plugInBackoff = { initialMs: 500, maxMs: 122_000 };
/** Tries to tell the cluster of a CSI driver, and the delays between them. */
export const csiNodeTriesMax = 4;
export const csiNodeBackoff = { initialMs: 50, maxMs: 2_000 };
/** Longest wait of one pod pass for its volumes. */
export const volumeWaitMs = 123_000;
/** Longest query of a service's log, how many at once, and what is read of journalctl's list of units and of its complaints. */
export const journalMs = 30_000;
export const journalsMax = 4;
export const journalUnitsBytesMax = 1 << 20;
/** Longest run of mount.nfs, which tries for two minutes by itself; of umount, which waits for no server; and a server's time to answer. */
export const nfsMountMs = 150_000;
export const nfsUnmountMs = 30_000;
export const fileServerMs = 10_000;
/** What of the words of mount(8) an event tells. */
export const mountToolBytesMax = 4_096;
/** Longest run of a plug-in that knows logins of registries, and what it may print to its output and to its errors. */
export const credentialPlugInMs = 60_000;
export const credentialPlugInBytesMax = 1 << 20;
/** Answers of one such plug-in that are kept, and how large they are together. */
export const cachedLoginsMax = 1_000;
export const cachedLoginsCharactersMax = 16 * 1_024 * 1_024;
/** Secrets that a record of an image holds before those that only match it are noted no more. */
export const matchedSecretsMax = 100;
/** Time between two looks whether the claims of pods that run are to grow. */
export const volumeGrowthMs = 60_000;
/** Least time until a token that could not be replaced is asked for again. */
export const tokenRetryMs = 10_000;
/** A projected token is replaced at the latest after this time. */
export const tokenAgeMsMax = 24 * 3_600_000;

/** Figures of pods and node are read again when older than this: many scrapers cost as much as one. */
export const figuresAgeMs = 1_000;
/** Longest wait of `/stats/summary` for a CSI driver: then it goes without, and nobody waits for that driver until it has answered. */
export const volumeFiguresPatienceMs = 1_000;
/** Longest wait of `/stats/summary` for the sizes of volumes that were never measured. */
export const volumeFiguresWaitMs = 5_000;
/** Bytes of a file in a volume that a container's variables are read from. */
export const environmentFileBytesMax = 1 << 20;
/** Characters of a container's variables, and of its command and arguments, once references are replaced; the kernel starts no program with more than 6 MiB. */
export const startCharactersMax = 8 * 1024 * 1024;
