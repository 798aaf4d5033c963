export { packTree } from './archive/tree-tar.ts';
export { RuntimeError } from './errors.ts';
export type { ImageBuildRequest, ImageDetails, ImageSummary } from './image-admin/image-admin.ts';
export {
  createImageClient,
  type ImageCallOptions,
  type ImageClient,
} from './image-admin/image-admin-client.ts';
export type { RegistryMirrors } from './registry/endpoints.ts';
export { bridgeNameFor, type RuntimeOptions } from './runtime-options.ts';
export type { CgroupDriver } from './spec/cgroup-path.ts';
export { type Runtime, startRuntime } from './start-runtime.ts';
