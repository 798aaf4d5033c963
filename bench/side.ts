import type { ApiAccess } from './api-access.ts';

/** A node that is measured: ours, or a peer's. */
export interface Side {
  /** The image that measured pods run. */
  readonly image: string;
  readonly api: ApiAccess;
  /** The environment in which kubectl talks to it. */
  environment(more?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** Runs kubectl to its end. */
  kubectl(args: string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Its processes, those of the user's containers left out. */
  processes(): Promise<{ role: string; pid: number }[]>;
}
