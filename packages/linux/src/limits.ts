/** Bounds of this package's buffers. */
export const limits = {
  /** Descriptors reported by one epoll wait. */
  pollBatch: 128,
  /** Bytes of one netlink receive buffer; the kernel never sends more in one datagram of a dump. */
  netlinkReceiveBytes: 64 * 1024,
  /** Bytes of a netlink datagram that fit into a socket's send buffer as it is; for more the buffer is made larger. */
  netlinkSendBytes: 64 * 1024,
  /** How long a synchronous netlink request waits for the kernel, which answers at once or never. */
  netlinkReceiveTimeoutSeconds: 5n,
  /** Bytes of a name that comes along with a passed descriptor. */
  passedNameBytesMax: 4096,
  /** Folders held open at once while a tree is removed; deeper ones are moved up first. */
  removalDepthMax: 100,
  /** Files removed between two turns of the event loop, a few milliseconds' work. */
  removalsPerTurn: 256,
  /** A folder that is not empty after so many removals of everything in it is somebody else's work in progress. */
  removalAttemptsMax: 10,
  /** Folders held open at once while a tree is measured; what lies deeper is not counted. */
  treeUsageDepthMax: 500,
  /** Files of several names that are remembered while a tree is measured. */
  linkedFilesMax: 100_000,
  /** A message of D-Bus that is longer ends its connection; the protocol allows 128 MiB. */
  busMessageBytesMax: 1 << 20,
  /** How long systemd may take to answer a call, and to do what it began. */
  systemdAnswerMs: 30_000,
} as const;
