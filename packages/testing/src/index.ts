export { type ApiServerOptions, startApiServer } from './api-server.ts';
export type { CallOptions, KubeconfigFile, Snapshot, TestCluster } from './cluster.ts';
export { TestingError, type TestingErrorCode } from './errors.ts';
export type { Flags } from './flags.ts';
export {
  type ExecOptions,
  type Forward,
  type ImageBuild,
  type ImageSource,
  type LogOptions,
  type NodeOptions,
  type PodReference,
  startNode,
  type TestNode,
} from './node.ts';
export type { Manifest, ManifestObject } from './objects/manifests.ts';
