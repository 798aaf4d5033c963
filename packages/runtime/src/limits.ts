/** Every bound of the runtime, in one place. Sizes in bytes, times in milliseconds unless the name says otherwise. */
export const limits = {
  /** passwd and group files of an image are read up to here, as containerd does. */
  passwdBytesMax: 10 * 1024 * 1024,
  /** Largest seccomp profile read from the host. */
  seccompProfileBytesMax: 4 * 1024 * 1024,
  /** A container's processes are gone through this often, while they fork, until all have a new oom_score_adj. */
  oomScoreRoundsMax: 16,
  /** Largest file that describes CDI devices, and how many of a folder are read. */
  cdiFileBytesMax: 1024 * 1024,
  cdiFilesMax: 256,
  /** Image files of CRIU's in a checkpoint, and largest document beside them. */
  checkpointImagesMax: 65_536,
  checkpointDocumentBytesMax: 8 * 1024 * 1024,
  /** Default size of a sandbox's /dev/shm. */
  sharedMemoryBytes: 64 * 1024 * 1024,
  /** Volumes that an image may declare. */
  declaredVolumesMax: 256,
  /** A host path that the machine has not looked up after this long is told as unavailable. */
  hostPathPatienceMs: 10_000,
  /** Threads for look-ups of host paths; one that hangs keeps its own. */
  hostPathThreadsMax: 16,
  /** Such a thread with nothing to do ends after this long. */
  hostPathThreadIdleMs: 3_000,
  /** A pod network that could not be set up is tried again after this long. */
  networkRetryMs: 5_000,
  /** It is looked this often whether its tables are still there: `nft flush ruleset` takes them along with all others. */
  networkCheckMs: 5_000,
  /** Time for one run of a CNI plug-in; past it, it is killed with its process group. */
  cniPluginTimeoutMs: 60_000,
  /** Largest output of a CNI plug-in, and largest file of a CNI configuration. */
  cniOutputBytesMax: 1024 * 1024,
  cniConfigBytesMax: 1024 * 1024,
  /** Plug-ins of one CNI network. */
  cniPluginsMax: 64,
  /** Levels of JSON in what a CNI plug-in gives, or is configured with, and addresses that a pod's interface may have. */
  cniDepthMax: 100,
  cniAddressesMax: 256,
  /** Longest name of a CNI network: it is part of a file's name. */
  cniNameLengthMax: 128,
  /** How often, and how far apart, a plug-in whose file is being written is tried again. */
  cniBusyAttempts: 5,
  cniBusyPauseMs: 1_000,
  /** The folder of CNI configurations and the plug-ins' STATUS are looked at this often, beside what the kernel tells. */
  cniLookMs: 5_000,
  /** Between two looks that the kernel's word brings about: a plug-in may write to that folder whenever it is asked. */
  cniLookPauseMs: 250,
  /** What a CNI plug-in failed to take away is tried again after this long. */
  cniSweepMs: 30_000,
  /** Time for an NRI plug-in to register, and to answer a request; past it, it is dropped. */
  nriRegistrationMs: 5_000,
  nriRequestMs: 2_000,
  /** NRI plug-ins that may be connected, and calls of each that are being answered. */
  nriPlugInsMax: 64,
  nriCallsMax: 16,
  /** Updates, and evictions, of containers that one message of an NRI plug-in may ask for: more than a node has. */
  nriWishesMax: 4_096,
  /** Answers that an NRI plug-in has not read: past these bytes it is dropped. */
  nriUnreadBytesMax: 8 * 1024 * 1024,
  /** Characters of what a plug-in says went wrong that are told on: conditions of the node and lines of its log hold them. */
  plugInWordsMax: 4_096,
  /** A monitor may be away for so long before the runtime tells that it is not ready. */
  monitorPatienceMs: 5_000,
  /** Time before what the monitor saw is asked for again, when it could not be kept. */
  followRetryMs: 1_000,
  /** A pod whose bandwidth is limited may send or get at once what its rate gives in this time, and at least this much: */
  rateBurstMs: 100,
  rateBurstBytesMin: 64 * 1024,
  /** What goes beyond waits this long, as with CNI's plug-in, and is dropped past it. */
  rateQueueMs: 25,
  /** Cables of pods that are gone but still there after this long are taken away. */
  cableSweepMs: 2_000,
  /** Events held for one slow reader of GetContainerEvents; past it the stream ends and the reader relists. */
  eventsPerReaderMax: 1_000,
  /** Sizes of writable layers are measured again when older than this. */
  layerUsageAgeMs: 10_000,
  /** CPU samples closer together than this give no new rate. */
  cpuSampleAgeMs: 500,
  /** Processes of a container whose open files are counted for its metrics, and files of each. */
  metricProcessesMax: 256,
  metricFilesMax: 4_096,
  /** How long loading the default AppArmor profile may take, and how many characters may be said meanwhile. */
  profileLoadMs: 30_000,
  profileLoadOutputMax: 64 * 1024,
  /** After it has failed: when it is tried again. */
  profileRetryMs: 60_000,
} as const;
