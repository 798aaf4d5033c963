/** A named extension of an entry, left as it is. */
export interface KubeconfigExtension {
  name: string;
  extension?: unknown;
}

/** A cluster entry, fields as in the file format v1. Paths are absolute after loading. */
export interface KubeconfigCluster {
  server?: string | undefined;
  'tls-server-name'?: string | undefined;
  'insecure-skip-tls-verify'?: boolean | undefined;
  'certificate-authority'?: string | undefined;
  /** PEM in base64. */
  'certificate-authority-data'?: string | undefined;
  /** http, https, socks5 or socks5h. Goes before the proxy variables of the environment. */
  'proxy-url'?: string | undefined;
  'disable-compression'?: boolean | undefined;
  extensions?: KubeconfigExtension[] | undefined;
}

/** When a credential plugin may use this process's stdin. */
export type ExecInteractiveMode = 'Never' | 'IfAvailable' | 'Always';

/** A program that prints credentials: the `exec` of a user. */
export interface ExecConfig {
  /** `client.authentication.k8s.io/v1` or `…/v1beta1`. */
  apiVersion: string;
  /** Absolute after loading when it has a slash; otherwise looked up in `PATH`. */
  command: string;
  args?: string[] | null | undefined;
  env?: { name: string; value: string }[] | null | undefined;
  installHint?: string | undefined;
  provideClusterInfo?: boolean | undefined;
  /** Must be said with v1; `IfAvailable` with v1beta1 when left out. */
  interactiveMode?: ExecInteractiveMode | undefined;
}

/** A user entry. */
export interface KubeconfigUser {
  'client-certificate'?: string | undefined;
  'client-certificate-data'?: string | undefined;
  'client-key'?: string | undefined;
  'client-key-data'?: string | undefined;
  token?: string | undefined;
  /** Read again while running; its content goes before `token`. */
  tokenFile?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  as?: string | undefined;
  'as-uid'?: string | undefined;
  'as-groups'?: string[] | undefined;
  'as-user-extra'?: Record<string, string[]> | undefined;
  exec?: ExecConfig | undefined;
  /** `oidc`; the others were removed upstream in favour of `exec`, and are refused by name when the user is chosen. */
  'auth-provider'?: { name?: string; config?: Record<string, string> } | undefined;
}

/** A context entry: which user talks to which cluster. */
export interface KubeconfigContext {
  cluster?: string | undefined;
  user?: string | undefined;
  namespace?: string | undefined;
}

/** A kubeconfig, or several merged: the first file that names an entry wins. */
export interface Kubeconfig {
  /** Empty when no file says it. */
  currentContext: string;
  clusters: Map<string, KubeconfigCluster>;
  users: Map<string, KubeconfigUser>;
  contexts: Map<string, KubeconfigContext>;
  /** The file that each user comes from. */
  userFiles: Map<string, string>;
}
