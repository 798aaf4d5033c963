import type { PullPolicy } from '@wherry/kubeapi';
import type { StreamFlags } from '../../kube/flags.ts';

/** Flags of `wherry debug`. What may be empty is none then, as in kubectl. */
export interface DebugFlags extends StreamFlags {
  /** Files that hold the pods or nodes. */
  filename?: string[];
  image?: string;
  container?: string;
  target?: string;
  profile: string;
  /** File of a partial container. */
  custom?: string;
  argumentsOnly?: boolean;
  env?: ReadonlyMap<string, string>;
  imagePullPolicy?: PullPolicy;
  stdin?: boolean;
  tty?: boolean;
  attach?: boolean;
  quiet?: boolean;
  copyTo?: string;
  /** Images by the names of containers, `*` for all others. */
  setImage?: ReadonlyMap<string, string>;
  replace?: boolean;
  sameNode?: boolean;
  shareProcesses?: boolean;
  keepLabels?: boolean;
  keepAnnotations?: boolean;
  keepLiveness?: boolean;
  keepReadiness?: boolean;
  keepStartup?: boolean;
  /** Undefined is true. */
  keepInitContainers?: boolean;
}
