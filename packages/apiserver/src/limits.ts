/** Every bound of the API server in one place. */
export const limits = {
  /** An eviction of a pod that waits is tried so often while the pod changes. */
  evictionAttemptsMax: 20,
  /** Pods whose eviction a disruption budget waits to see (upstream's MaxDisruptedPodSize). */
  disruptedPodsMax: 2_000,
  /** Bytes of what a program that keeps keys gives back, as upstream: a key's id, a sealed seed, its annotations. */
  kmsKeyIdBytesMax: 1_024,
  kmsSeedBytesMax: 1_024,
  kmsAnnotationBytesMax: 32 * 1_024,
  /** Seeds that are remembered of such a program. */
  kmsSeedsMax: 1_000,
  /** Answers of etcd that wait for a key; then they are asked for anew. */
  etcdAnswersMax: 1_000,
  /** Events that the store keeps in memory for watches that start a little in the past. */
  windowEventsMax: 2_000,
  /** Characters of the values of those events. */
  windowCharactersMax: 8 * 1024 * 1024,
  /** Values that the store keeps in memory since they were read or written last. */
  recentValuesMax: 500,
  /** Characters of those values. */
  recentCharactersMax: 1024 * 1024,
  /** The server's own watches begin with no more missed events than this. */
  catchUpEventsMax: 10_000,
  /** Objects that are read at a time for a list or a watch's beginning; between two times others have their turn. */
  pageRowsMax: 1_000,
  /** Rows that are read first of such a page; how long they are tells how many more to read. */
  firstBatchRows: 100,
  /** Characters of the objects after which such a page ends, and of events that a watch catches up on. */
  pageCharactersMax: 2 * 1024 * 1024,
  /** Past values that a compaction deletes at a time; between two times others write. */
  compactionRows: 500,
  /** Revisions that are looked through at a time for a watch that catches up. */
  historyPageRevisions: 1_000,
  /** Characters of what a policy notes for the audit under one key; upstream cuts at as many bytes. */
  auditValueCharactersMax: 10 * 1024,
  /** Characters of a User-Agent that are audited, as upstream. */
  auditUserAgentCharactersMax: 1_024,
  /** Events that wait to be written in the mode `batch`; more are dropped, as upstream. */
  auditEventsMax: 10_000,
  /** Requests to the webhook of the audit at one time; upstream has no bound. */
  auditRequestsMax: 32,
  /** Bytes of a file that says how users are known, what they may, or what is encrypted. */
  configurationBytesMax: 3 * 1024 * 1024,
  /** Bytes of what a webhook answers about a user or what he may, or about events of the audit. */
  reviewAnswerBytesMax: 1024 * 1024,
  /** Requests of which it is remembered what a webhook lets somebody do, and bytes of their own words, as upstream. */
  webhookDecisionsMax: 8_192,
  rememberedAttributesBytesMax: 10_000,
  /** Conditions of such a webhook, as upstream. */
  matchConditionsMax: 64,
  /** Pods of whose images a webhook's word is remembered, as upstream. */
  imageReviewsMax: 1_024,
  /** Tokens of which a webhook's word is remembered. */
  webhookTokensMax: 4_096,
  /** Identity providers, as upstream. */
  jwtIssuersMax: 64,
  /** Whoever else may have signed claims that a provider's tokens leave to others: so many are remembered. */
  claimIssuersMax: 16,
  /** Bytes of what an identity provider tells of itself, of its keys and of claims. */
  identityDocumentBytesMax: 1024 * 1024,
  /** Bytes of a request's body, as upstream. */
  requestBodyBytesMax: 3 * 1024 * 1024,
  /** Characters of a tag in a proxied HTML document that are held back until it is whole. */
  htmlTagCharactersMax: 64 * 1024,
  /** Bytes of an answer that is sent as it is to clients that take gzip too, as upstream. */
  unpackedBytesMax: 128 * 1024,
  /** Bytes of unsent changes after which a watch is ended with 410; how it began is sent as fast as its client reads. */
  watchBufferBytesMax: 8 * 1024 * 1024,
  /** Reading requests and changes served at once unless flags say otherwise, watches and streams apart; the levels share them all. */
  readingInFlightMax: 400,
  changesInFlightMax: 200,
  /** Portion of a level's own places that one flow may hold. */
  flowPlacesPortion: 0.75,
  /** Requests that wait at one level, whatever its object says; more get 429. */
  waitingRequestsMax: 1_000,
  /** Requests whose sender is being found out at one time; more get 429. */
  unknownRequestsMax: 200,
  /** Watches and streams at one time, those of nodes and administrators apart; and those of one flow. */
  longRunningMax: 6_000,
  longRunningPerFlowMax: 1_000,
  /** Those of one node, which has a few for each of its pods. */
  longRunningPerNodeMax: 10_000,
  /** Names that are tried for one generateName, as upstream. */
  generateNameAttemptsMax: 8,
  /** Times a change is made anew because somebody else wrote in between. */
  changeAttemptsMax: 20,
  /** Looks at a namespace's default service account before a pod is refused for want of it. */
  defaultAccountAttemptsMax: 40,
  /** Tokens whose verification is remembered, of service accounts and of each identity provider. */
  verifiedTokensMax: 1_000,
  /** Of so many users it is known how they impersonated others last. */
  impersonatorsMax: 10_000,
  /**
   * Bytes of a request line and its headers: commands of exec travel there. Each connection may hold so much before
   * anybody knows who it is; Go's 1 MiB is four times that.
   */
  requestHeadBytesMax: 256 * 1024,
  /** Requests of one HTTP/2 connection at one time, as upstream; more are refused by stream, and sent again by clients. */
  http2StreamsMax: 100,
  /** Streams that one connection may reset in a row, and each second after that, before it ends (CVE-2023-44487). */
  http2ResetsBurst: 1_000,
  http2ResetsPerSecond: 33,
  /** What Node keeps of one HTTP/2 connection: parts of answers on their way, header tables; more streams are refused then. */
  http2SessionMebibytesMax: 64,
  /** Pods of a namespace that are looked at when a stricter level is enforced on it, as upstream. */
  podSecurityPodsMax: 3_000,
  /** Until a kubelet begins to answer with a log that is not followed: the machine behind a kept connection may be gone. */
  kubeletSilenceMs: 45_000,
  /** Bytes of one packet to Konnectivity's server, and packets of a connection that wait for who reads, as upstream. */
  egressPacketBytesMax: 32 * 1024,
  egressPacketsMax: 10,
  /** Kept idle connections through a proxy per server of the cluster that requests are passed on to. */
  idleBackendSocketsMax: 16,
  /** Kept idle connections per kubelet. */
  idleKubeletSocketsMax: 16,
  /** Certificates of webhooks that are kept since OpenSSL takes them for signed by themselves. */
  namesakeCertificatesMax: 64,
  /** Kept idle connections per webhook, bytes of its answer, and characters of an error of it that are told. */
  idleWebhookSocketsMax: 16,
  webhookAnswerBytesMax: 8 * 1024 * 1024,
  webhookErrorCharactersMax: 2_000,
  /** Kept idle connections per extension server, and bytes of what one tells of itself. */
  idleExtensionSocketsMax: 16,
  extensionDocumentBytesMax: 4 * 1024 * 1024,
  /** Warnings of an object that is written; there is room for far fewer. */
  warningsMax: 1_000,
  /** Characters of all warnings of an answer, and of each of them where they are more, as upstream. */
  warningCharactersMax: 256,
  warningsCharactersMax: 4_096,
  /** Kubelets that are asked at once what their pods take, and bytes of what one may answer. */
  usageReadersMax: 16,
  usagePageBytesMax: 8 * 1024 * 1024,
  /** Bytes of a log in one WebSocket message, as upstream. */
  logMessageBytesMax: 2048,
  /** Bytes of a kubelet's refusal that become the message, as upstream. */
  kubeletErrorBytesMax: 50_000,
  /** Bytes of a refused body that are read on, so that the client gets to see the answer. */
  discardedBodyBytesMax: 256 * 1024 * 1024,
  /** Keys whose lifetime is over that one sweep deletes. */
  expirySweepMax: 1_000,
  /** Keys that share a lease of etcd, as upstream. */
  leaseKeysMax: 1_000,
  /** Bytes of one message of etcd, as upstream: a page of lists is one, and each of its values may have 1.5 MiB. */
  etcdMessageBytesMax: 2 ** 31 - 1,
} as const;

/** Every period of the API server in one place, in milliseconds. */
export const periods = {
  /** How long a webhook may be given at most to say what somebody may, as upstream. */
  authorizationWebhookMaxMs: 30_000,
  /** How long a webhook may take to answer about a user, as upstream; and all tries together, as upstream's requests. */
  tokenWebhookTimeoutMs: 30_000,
  accessWebhookMs: 60_000,
  /** Before it is asked again for the first time, as upstream. */
  accessWebhookRetryMs: 500,
  /** How often files that say how users are known and what they may are looked at for changes (upstream: at once). */
  configurationFileMs: 5_000,
  /** Stored objects are counted again, and the store is measured again, after this time, when somebody asks; as upstream. */
  objectCountMs: 60_000,
  storeSizeMs: 30_000,
  /** The providers of a changed file are found by then, or it is not followed; those before stay so long, as upstream. */
  configurationStartMs: 60_000,
  /** How long an identity provider may take to answer, and how often one is looked for, as upstream. */
  identityProviderMs: 30_000,
  identityProviderRetryMs: 10_000,
  /** So long a token waits for whoever has signed its claims elsewhere to be found. */
  claimIssuerMs: 5_000,
  /** Its keys are asked for anew no sooner, however many tokens name others. */
  identityKeysMs: 1_000,
  /** Tokens of theirs that are refused are told of no more often. */
  refusedTokenMs: 1_000,
  /** How long the webhook of the audit may take to answer, as upstream. */
  auditWebhookTimeoutMs: 30_000,
  /** How long a server that ends goes on sending what the webhook of the audit has not taken. */
  auditWebhookCloseMs: 5_000,
  /** How often keys whose lifetime is over are looked for. */
  expirySweepMs: 10_000,
  /** How often a program that keeps keys is asked for its key, and where something was wrong, as upstream. */
  kmsLookMs: 60_000,
  kmsRetryMs: 10_000,
  /** So long values are written by a key that its program tells nothing of any more, as upstream. */
  kmsSeedMs: 180_000,
  /** So long a program that has refused to open a key is not asked for it again. */
  kmsRefusalMs: 10_000,
  /** New programs that keep keys have to be well by then, or a changed file is not followed, as upstream. */
  kmsStartMs: 10_000,
  kmsStartLookMs: 100,
  /** How often a file of encryption is looked at for changes (upstream: 60 s). */
  encryptionFileMs: 20_000,
  /** How long events live, as upstream. */
  eventLifetimeMs: 3_600_000,
  /** How long a write waits for those before it that take of the same namespace's quotas, as upstream. */
  quotaTurnMs: 10_000,
  /** Between two looks at the node ports of a store that servers share (as upstream). */
  portRepairMs: 3 * 60_000,
  /** How long an IPAddress may be without its service, which another server is about to store (as upstream). */
  addressWithoutServiceMs: 60_000,
  /** How long pods of a namespace are looked at when a stricter level is enforced on it, as upstream. */
  podSecurityCheckMs: 1_000,
  /** Between two of those looks. */
  defaultAccountRetryMs: 50,
  /** How long expressions in CEL are evaluated before others have their turn. */
  expressionTurnMs: 10,
  /** History is forgotten when it is between one and two of these old. */
  compactionMs: 300_000,
  /** Etcd has answered a call by then, or it fails; of the start, and of the question whether it is there. */
  etcdCallMs: 10_000,
  etcdStartMs: 20_000,
  etcdPulseMs: 2_000,
  /** It is well where it answers in this time, unless the flags say otherwise, as upstream. */
  etcdHealthMs: 2_000,
  /** Between two tries to reach etcd, at first and at most. */
  etcdRetryMs: 100,
  etcdReconnectMs: 1_000,
  /** So long a connection to etcd is silent before it is asked whether it lives, as upstream. */
  etcdKeepAliveMs: 30_000,
  /** So long an event of etcd is waited for before its progress is asked for; and a progress for events before it. */
  etcdProgressMs: 50,
  /** How often a server looks after the service `kubernetes` and says where it is, and how long that counts, as upstream. */
  serverAddressMs: 10_000,
  serverAddressLifetimeMs: 15_000,
  /** So long keys that go by themselves share a lease at most, as upstream. */
  leaseReuseMs: 60_000,
  /** Idle client connections are kept so long. */
  keepAliveMs: 120_000,
  /** How often connections are looked at for heads that are late. */
  connectionsCheckMs: 5_000,
  /** A request's head is there by then, or its connection ends, as upstream. */
  requestHeadMs: 32_000,
  /** A request's body, where this server reads it itself, is there by then, or the request ends. */
  requestBodyMs: 60_000,
  /** So long a body that nobody reads is dropped, before its connection ends. */
  discardedBodyMs: 10_000,
  /** So long a request waits for its place, as upstream; then 429. */
  requestWaitMs: 15_000,
  /** So long a read waits for a revision that is still to come, as upstream. */
  freshnessMs: 3_000,
  /** A webhook has converted objects of one version into those of another by then, as upstream. */
  conversionMs: 30_000,
  /** The webhooks of one request have answered by then, or it ends, as upstream. */
  webhooksMs: 60_000,
  /** An extension server has told what it serves by then, or it is unavailable, as upstream. */
  extensionCheckMs: 5_000,
  /** How often extension servers are asked again, and those that did not answer. */
  extensionRecheckMs: 30_000,
  staleExtensionMs: 2_000,
  /** An extension server has begun to answer by then, watches and streams apart, as upstream. */
  extensionAnswerMs: 60_000,
  /** What nodes and pods take is read again when older than this. */
  usageAgeMs: 10_000,
  /** Rates are over at most this time; after a longer rest two readings are made, so far apart. */
  usageWindowMsMax: 60_000,
  firstUsageWindowMs: 1_500,
  /** A kubelet has told by then what its pods take, or its node is left out. */
  usagePatienceMs: 10_000,
  /** A proxy has led a connection to its other end by then, as upstream. */
  egressDialMs: 30_000,
  /** So long Konnectivity's server has packets wait for who reads, and a connection's end for its word, as upstream. */
  egressReadMs: 10_000,
  egressCloseMs: 10_000,
  /** A connection one of whose directions has ended goes on until nothing has come the other way for so long. */
  egressSilenceMs: 10_000,
  /** TLS is agreed on by then, or the connection ends. */
  handshakeMs: 30_000,
  /** Connections that are busy when the server closes are cut off after this. */
  shutdownMs: 2_000,
  /** How often flow control's own objects are looked after, as upstream. */
  flowObjectsMs: 60_000,
  /** Parameters of policies that none has asked for in this time are kept no longer. */
  paramsIdleMs: 600_000,
  /** The day since when uses of tokens in secrets are noted is written anew at most so often, as upstream. */
  tokenTrackingMs: 1_800_000,
  /** So much another server's clock may be ahead or behind when a token begins and ends, as upstream. */
  clockSkewMs: 60_000,
  /** A verified token is looked at again after this: has its pod been deleted? */
  tokenRecheckMs: 10_000,
  /** Watches without a timeout live between this and twice as long, as upstream. */
  watchMinimumMs: 1_800_000,
  /** A request is over by then, unless the flag says otherwise, as upstream. */
  requestMs: 60_000,
  /** Watches that allow bookmarks get one so often. */
  bookmarkMs: 60_000,
} as const;
