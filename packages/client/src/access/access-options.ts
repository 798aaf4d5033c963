import type { Clock } from '@wherry/clock';
import type { PluginPolicy } from '../exec-plugin/plugin-policy.ts';

/** Another user to act as; the server must allow it. Groups, uid and extra need a user. */
export interface Impersonation {
  user?: string | undefined;
  uid?: string | undefined;
  groups?: readonly string[] | undefined;
  extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Which part of the kubeconfig to use, and what to put in its place. Paths are relative to the working folder. */
export interface AccessOptions {
  /** File; default: `$KUBECONFIG`, `~/.kube/config`, then the service account of the pod this runs in. */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  cluster?: string | undefined;
  user?: string | undefined;
  /** URL of the server; takes the place of the cluster's, and of its `tls-server-name` with it. */
  server?: string | undefined;
  /** Name that the server's certificate is checked against. */
  tlsServerName?: string | undefined;
  /** File, PEM; takes the place of what the cluster says about whom to trust. */
  certificateAuthority?: string | undefined;
  /** Accepts any certificate of the server; takes the place of the cluster's certificate authority. */
  insecureSkipTlsVerify?: boolean | undefined;
  disableCompression?: boolean | undefined;
  /** Bearer token; goes before the user's token file and plugin. */
  token?: string | undefined;
  /** Basic authentication. */
  username?: string | undefined;
  password?: string | undefined;
  /** Files, PEM. */
  clientCertificate?: string | undefined;
  clientKey?: string | undefined;
  impersonate?: Impersonation | undefined;
  /** Which of the kubeconfig's credential plugins may run. Default: all. */
  pluginPolicy?: PluginPolicy | undefined;
  /** What reads standard input, which no plugin may read then; such as `used by stdin resource manifest reader`. */
  stdinInUse?: string | undefined;
  /** Where proxies, the plugin's variables and the pod's service are looked up. Default `process.env`. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** By which credentials expire. Default: the system's. */
  clock?: Clock | undefined;
}
