export type { ImageBuildRequest, ImageDetails, ImageSummary } from './admin/image-admin.ts';
export {
  createImageClient,
  type ImageCallOptions,
  type ImageClient,
} from './admin/image-admin-client.ts';
export { ImageAdminServer } from './admin/image-admin-server.ts';
export { loadArchive } from './archive/archive-load.ts';
export { type BuildOptions, buildImage } from './archive/build.ts';
export { packTree } from './archive/tree-tar.ts';
export { ImageError, type ImageErrorCode } from './errors.ts';
export { type Digest, hexOf } from './layers/digest.ts';
export type { UnpackBounds } from './layers/layer-meter.ts';
export { LayerStore } from './layers/layer-store.ts';
export type { RegistryAuth } from './registry/credentials.ts';
export type { RegistryMirrors } from './registry/endpoints.ts';
export { Puller, type PullerOptions } from './registry/puller.ts';
export type { ImageConfig } from './store/image-config.ts';
export type { ImageRecord, StoredImage } from './store/image-record.ts';
export { type ImageInstall, ImageStore, type StoreUsage } from './store/image-store.ts';
