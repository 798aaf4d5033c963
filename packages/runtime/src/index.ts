export { RuntimeError } from './errors.ts';
export type { ImageBuildRequest, ImageDetails, ImageSummary } from './images/image-admin.ts';
export { createImageClient, type ImageCallOptions, type ImageClient } from './images/image-admin-client.ts';
export { packTree } from './images/tree-tar.ts';
export type { RegistryMirrors } from './registry/endpoints.ts';
export { bridgeNameFor, type RuntimeOptions } from './runtime-options.ts';
export type { CgroupDriver } from './spec/cgroup-path.ts';
export { type Runtime, startRuntime } from './start-runtime.ts';
