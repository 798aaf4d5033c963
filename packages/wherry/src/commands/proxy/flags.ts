import type { KubeFlags } from '../../kube/flags.ts';

/** Flags of `wherry proxy`. */
export interface ProxyFlags extends KubeFlags {
  /** 0 for any that is free. */
  port: number;
  address: string;
  /** Instead of address and port. */
  unixSocket?: string;
  /** A folder whose files are served, too. */
  www?: string;
  wwwPrefix: string;
  apiPrefix: string;
  /** Regular expressions, commas between them; all of them in Go's syntax. */
  acceptPaths: string;
  rejectPaths: string;
  acceptHosts: string;
  rejectMethods: string;
  disableFilter?: boolean;
  /** Milliseconds; 0 for the usual. */
  keepalive: number;
  appendServerPath?: boolean;
}
