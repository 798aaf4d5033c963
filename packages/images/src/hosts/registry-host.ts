/** What a host may be asked for: content by digest, what a tag means, and to take images. */
export type HostCapability = 'pull' | 'resolve' | 'push';

/** Every capability, for a host of which nothing else is said. */
export const allCapabilities: ReadonlySet<HostCapability> = new Set(['pull', 'resolve', 'push']);

/** A client certificate and its key, PEM files; the same file when it holds both. */
export interface ClientCertificate {
  certificate: string;
  key: string;
}

/** How a host proves itself, and we to it. */
export interface HostTls {
  /** PEM files of authorities, believed beside the machine's. */
  authorities: readonly string[];
  certificates: readonly ClientCertificate[];
  /** Any certificate will do; undefined when nothing was said. */
  skipsVerification?: boolean | undefined;
}

/** A host that may be asked for one repository. */
export interface RegistryHost {
  /** Root of its API without a slash at the end, `https://mirror.test:5000/v2`. */
  root: string;
  /** Path of the repository there. */
  repository: string;
  capabilities: ReadonlySet<HostCapability>;
  /** Sent with each request to it and to its token server, and to nobody that they redirect to. */
  headers: Readonly<Record<string, readonly string[]>>;
  tls: HostTls;
  /** Until a connection, with its TLS, must stand. */
  dialTimeoutMs: number;
  /** Its root says http, but https is tried first: where nobody said which, as on loopback. */
  prefersTls: boolean;
  /** Asked in another registry's place: credentials that do not name it stay away from it. */
  isMirror: boolean;
  /** The registry that it stands for, told to it as `?ns=`. */
  namespace?: string | undefined;
}

/** TLS of which nothing was said. */
export const plainTls: HostTls = { authorities: [], certificates: [] };
