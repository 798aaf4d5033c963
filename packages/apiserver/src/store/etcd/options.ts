/** Which etcd a store lives in; names follow kube-apiserver's flags. */
export interface EtcdOptions {
  /** `http://HOST:PORT` or `https://HOST:PORT`, one for each member. */
  servers: readonly string[];
  /** PEM of the authority that has certified etcd. Default: the machine's. */
  caFile?: string | undefined;
  /** PEM of the certificate and key that etcd knows this server by. */
  certFile?: string | undefined;
  keyFile?: string | undefined;
  /** All keys begin with this. Default `/registry`. */
  prefix?: string | undefined;
  /** How often history is forgotten; 0: never by this server. Default five minutes. */
  compactionIntervalMs?: number | undefined;
  /** Keys that go by themselves share a lease so long at most. Default a minute. */
  leaseReuseMs?: number | undefined;
  /** How long etcd is waited for when it is asked whether it is well. Default 2 s. */
  patienceMs?: number | undefined;
}
