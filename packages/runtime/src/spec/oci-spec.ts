import type { OciProcess } from '@wherry/monitor-api';

/** The parts of the OCI runtime specification that this runtime writes, in its own field names (config.md, config-linux.md). */
export interface OciSpec {
  ociVersion: string;
  process: OciProcess;
  root: { path: string; readonly: boolean };
  hostname?: string | undefined;
  mounts: OciMount[];
  annotations?: Record<string, string> | undefined;
  linux: OciLinux;
  hooks?: OciHooks | undefined;
}

/** Programs of the machine that the OCI runtime runs at turns of a container's life. */
export type OciHooks = {
  [Name in
    | 'prestart'
    | 'createRuntime'
    | 'createContainer'
    | 'startContainer'
    | 'poststart'
    | 'poststop']?: OciHook[];
};

export interface OciHook {
  path: string;
  args?: string[] | undefined;
  env?: string[] | undefined;
  /** Seconds. */
  timeout?: number | undefined;
}

export interface OciMount {
  destination: string;
  type?: string | undefined;
  source?: string | undefined;
  options: string[];
  uidMappings?: OciIdMapping[] | undefined;
  gidMappings?: OciIdMapping[] | undefined;
}

export interface OciIdMapping {
  containerID: number;
  hostID: number;
  size: number;
}

export interface OciNamespace {
  type: 'pid' | 'network' | 'ipc' | 'uts' | 'mount' | 'cgroup' | 'user';
  path?: string | undefined;
}

export interface OciDevice {
  path: string;
  type: 'c' | 'b' | 'u' | 'p';
  major: number;
  minor: number;
  fileMode: number;
  uid: number;
  gid: number;
}

export interface OciDeviceRule {
  allow: boolean;
  type?: 'a' | 'c' | 'b';
  major?: number;
  minor?: number;
  access: string;
}

export interface OciLinuxResources {
  devices?: OciDeviceRule[] | undefined;
  memory?: { limit?: number; reservation?: number; swap?: number } | undefined;
  cpu?: { shares?: number; quota?: number; period?: number; cpus?: string; mems?: string } | undefined;
  hugepageLimits?: { pageSize: string; limit: number }[] | undefined;
  unified?: Record<string, string> | undefined;
  pids?: { limit: number } | undefined;
}

export interface OciSeccompRule {
  names: string[];
  action: string;
  errnoRet?: number;
  args?: { index: number; value: number; valueTwo?: number; op: string }[];
}

export interface OciSeccomp {
  defaultAction: string;
  defaultErrnoRet?: number | undefined;
  architectures?: string[];
  flags?: string[];
  listenerPath?: string | undefined;
  listenerMetadata?: string | undefined;
  syscalls: OciSeccompRule[];
}

export interface OciLinux {
  namespaces: OciNamespace[];
  uidMappings?: OciIdMapping[] | undefined;
  gidMappings?: OciIdMapping[] | undefined;
  devices: OciDevice[];
  cgroupsPath: string;
  resources: OciLinuxResources;
  sysctl?: Record<string, string> | undefined;
  rootfsPropagation?: string | undefined;
  seccomp?: OciSeccomp | undefined;
  maskedPaths: string[];
  readonlyPaths: string[];
}
