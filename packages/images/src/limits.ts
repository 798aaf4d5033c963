/** Every bound on images, in one place. Sizes in bytes, times in milliseconds unless the name says otherwise. */
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
  /** Folders and names that one layer has looked up in those below it; each takes some 20 µs of one of the threads. */
  lowerStepsMax: 1_000_000,
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
  /** Packed layers are kept for pushes and archives while so much is free, or the share below of a smaller disk. */
  packedLayersFreeBytes: 16 * 1024 ** 3,
  /** Of the file system's size. */
  packedLayersFreeShare: 0.2,
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
  /** Blobs downloaded at the same time, for all images. */
  downloadsMax: 12,
  /** One of which fewer bytes come in such a time gives its place to others, and goes on beside them. */
  slowDownloadBytes: 1024 * 1024,
  slowDownloadMs: 30_000,
  /** Of those, from one registry. */
  downloadsPerRegistryMax: 6,
  /** Blobs uploaded at the same time for one image. */
  uploadsPerPushMax: 3,
  /** Until a connection to a registry must stand; a host's `dial_timeout` says otherwise. */
  dialTimeoutMs: 30_000,
  /** Ways to registries (TLS settings with their connections) that are kept. */
  transportsMax: 32,
  /** A credential helper must answer within. */
  credentialHelperMs: 30_000,
  /** What a credential helper may print. */
  credentialHelperBytesMax: 1024 * 1024,
  /** Largest file of the registries' configuration. */
  registryConfigBytesMax: 1024 * 1024,
  /** Blobs downloaded at the same time for one image. */
  downloadsPerPullMax: 3,
  /** A pull that receives no byte for this long fails. */
  pullStallMs: 300_000,
  /** Attempts at one document or blob; a blob's resume where the one before stopped. */
  registryAttemptsMax: 4,
  /** Between two attempts, growing, where the registry does not say how long to wait. */
  registryRetryMs: 500,
  /** A registry that wants to be left alone for longer is not asked again. */
  retryAfterMsMax: 30_000,
  /** Downloads that nobody went on with for this long are removed at the next start. */
  partialDownloadAgeMs: 24 * 3600 * 1000,
  /** News of a transfer come after so many more bytes. */
  progressBytes: 512 * 1024,
  /** Redirects followed for one request to a registry. */
  redirectsMax: 5,
  /** Up to here an answer that nobody wants is read to its end, so that its connection can be used again. */
  drainedBytesMax: 64 * 1024,
  /** Unless nothing of it comes for this long. */
  drainStallMs: 5_000,
  /** Largest error or token body read from a registry. */
  registryAnswerBytesMax: 1024 * 1024,
} as const;
