/** Bounds and periods of the cluster's DNS. */
export const limits = {
  /** Time that answers about the cluster may be kept by who asked, in seconds (CoreDNS' `ttl`). */
  clusterTtlSeconds: 5,
  /** The same of the record that tells the version of the schema (CoreDNS: the same). */
  versionTtlSeconds: 28_800,
  /** Largest answer over UDP, in bytes, whatever a client offers to take (the DNS flag day's). */
  udpAnswerBytesMax: 1_232,
  /** Answer over UDP for a client that does not say what it takes, in bytes (RFC 1035 §4.2.1). */
  udpAnswerBytesDefault: 512,
  /** Records of ports in one answer: no more than 64 KiB of TCP hold. */
  serverRecordsMax: 4_096,
  /** How long after its start a server may wait for what the cluster has, in milliseconds (CoreDNS: the same), and how many questions wait. */
  startPatienceMs: 5_000,
  earlyQuestionsMax: 1_000,
  /** Aliases followed for one answer (CoreDNS: the same). */
  aliasesMax: 10,
  /** Connections at once, in all and of one client. */
  connectionsMax: 512,
  connectionsPerClientMax: 64,
  /** Questions of one connection that wait for their answers; more are read when these are answered. */
  questionsPerConnectionMax: 32,
  /** Silence after which a connection is closed, in milliseconds. */
  connectionIdleMs: 10_000,
  /** Unsent bytes of a connection whose client reads nothing; then it is cut. */
  unsentBytesMax: 256 * 1024,
  /** Bytes of questions that the kernel keeps while this process is busy. */
  receiveBufferBytes: 1024 * 1024,
  /** Questions that wait for other resolvers, in all (kubeadm's `max_concurrent`) and of one client; more are refused. */
  forwardedMax: 1_000,
  forwardedPerClientMax: 250,
  /** How long one resolver is waited for, and all together, in milliseconds (CoreDNS: the same). */
  attemptTimeoutMs: 2_000,
  forwardTimeoutMs: 5_000,
  /** How long a resolver that did not answer is asked last, in milliseconds. */
  resolverRestMs: 10_000,
  /** Resolvers taken from one resolv.conf (CoreDNS: the same). */
  resolversMax: 15,
  /** Bytes read of a resolv.conf. */
  resolvConfBytesMax: 64 * 1024,
  /** How often it is looked whether resolv.conf has changed, in milliseconds. */
  resolvConfPeriodMs: 5_000,
  /** Answers of other resolvers that are kept, and their bytes together. */
  keptAnswersMax: 10_000,
  keptBytesMax: 16 * 1024 * 1024,
  /** Longest time that one is kept, in seconds (kubeadm's `cache 30`); a failure shorter (CoreDNS: the same). */
  keptSecondsMax: 30,
  keptFailureSeconds: 5,
  /** Wait before an address that the machine does not have yet is tried again, in milliseconds. */
  listenRetryMs: { initialMs: 50, maxMs: 1_000 },
  /** How often the machine's own addresses are looked up, at most, in milliseconds. */
  ownAddressesPeriodMs: 1_000,
} as const;
