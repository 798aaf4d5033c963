/** Every bound of the runtime, in one place. Sizes in bytes, times in milliseconds unless the name says otherwise. */
export const limits = {
  /** Largest manifest or index accepted from a registry or an archive; registries refuse larger ones themselves. */
  manifestBytesMax: 4 * 1024 * 1024,
  /** Largest image configuration accepted. */
  imageConfigBytesMax: 8 * 1024 * 1024,
  /** Most layers of one image; overlayfs takes 500. */
  layersMax: 500,
  /** Largest single PAX header or GNU long name. */
  tarMetadataBytesMax: 1024 * 1024,
  /** Most entries in one image archive; only their headers are held. */
  archiveEntriesMax: 200_000,
  /** Most manifests of one index. */
  indexManifestsMax: 1_000,
  /** Indexes that lead to indexes. */
  indexDepthMax: 4,
  /** Most entries in one layer. */
  layerEntriesMax: 1_000_000,
  /** Largest image, unpacked: the bytes of all its files, holes of sparse files not counted. */
  imageUnpackedBytesMax: 128 * 1024 ** 3,
  /** Largest single file of an image, holes counted. */
  unpackedFileBytesMax: 64 * 1024 ** 3,
  /** A layer, or an image archive, that unpacks to more than this many times its packed size is made to fill disks. */
  compressionRatioMax: 200,
  /** Up to so many unpacked bytes nobody looks at the ratio: what is mostly zeros packs very well. */
  freeOfRatioBytes: 1024 ** 3,
  /** Unpacking stops when less than this is free, or less than the share below of a small disk. */
  unpackReserveBytes: 512 * 1024 * 1024,
  /** Of the file system's size. */
  unpackReserveShare: 0.02,
  /** Free space is looked at each time so much has been unpacked, and oftener when little is left. */
  freeRoomCheckBytes: 16 * 1024 * 1024,
  /** Longest path in an image: the kernel's PATH_MAX, less the NUL. */
  pathBytesMax: 4095,
  /** Longest single name, the kernel's NAME_MAX. */
  nameBytesMax: 255,
  /** Deepest folder in an image. */
  pathDepthMax: 256,
  /** Folders kept open while a layer is unpacked, so that files next to each other cost no walk. */
  layerFoldersOpenMax: 256,
  /** Pieces of one sparse file. */
  sparsePiecesMax: 65_536,
  /** Symbolic links followed while one path is resolved inside a root, as the kernel has it (MAXSYMLINKS). */
  symlinksMax: 40,
  /** Layers unpacked at the same time, each on a thread of its own. */
  unpackThreadsMax: 2,
  /** An unpacking thread with nothing to do ends after this long. */
  unpackThreadIdleMs: 3_000,
  /** Blobs downloaded at the same time for one image. */
  downloadsPerPullMax: 3,
  /** A pull that receives no byte for this long fails. */
  pullStallMs: 300_000,
  /** Attempts at one blob, each resuming where the one before stopped. */
  blobAttemptsMax: 4,
  /** Downloads that nobody went on with for this long are removed at the next start. */
  partialDownloadAgeMs: 24 * 3600 * 1000,
  /** Redirects followed for one request to a registry. */
  redirectsMax: 5,
  /** Largest error or token body read from a registry. */
  registryAnswerBytesMax: 1024 * 1024,
  /** passwd and group files of an image are read up to here, as containerd does. */
  passwdBytesMax: 10 * 1024 * 1024,
  /** Largest seccomp profile read from the host. */
  seccompProfileBytesMax: 4 * 1024 * 1024,
  /** A container's processes are gone through this often, while they fork, until all have a new oom_score_adj. */
  oomScoreRoundsMax: 16,
  /** Default size of a sandbox's /dev/shm. */
  sharedMemoryBytes: 64 * 1024 * 1024,
  /** Both outputs of ExecSync together: a little under the 16 MiB that one gRPC message may have. */
  execSyncOutputBytesMax: 16 * 1024 * 1024 - 64 * 1024,
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
  /** Cables of pods that are gone but still there after this long are taken away. */
  cableSweepMs: 2_000,
  /** Events held for one slow reader of GetContainerEvents; past it the stream ends and the reader relists. */
  eventsPerReaderMax: 1_000,
  /** Sizes of writable layers are measured again when older than this. */
  layerUsageAgeMs: 10_000,
  /** Folders of a writable layer deeper than this are not measured: each level holds a descriptor. */
  layerUsageDepthMax: 500,
  /** CPU samples closer together than this give no new rate. */
  cpuSampleAgeMs: 500,
} as const;
