export type {
  ImageBuildRequest,
  ImageDetails,
  ImagePruneRequest,
  ImagePullRequest,
  ImagePushRequest,
  ImageSummary,
  PruneResult,
} from './admin/image-admin.ts';
export {
  createImageClient,
  type ImageCallOptions,
  type ImageClient,
} from './admin/image-admin-client.ts';
export { type ImageAdminOptions, ImageAdminServer } from './admin/image-admin-server.ts';
export type { Transfer } from './admin/transfer.ts';
export { loadArchive } from './archive/archive-load.ts';
export { type BuildOptions, buildImage } from './archive/build.ts';
export { saveArchive } from './archive/save.ts';
export { packLayer, packTree } from './archive/tree-tar.ts';
export { type DockerCredentialsOptions, dockerCredentials } from './credentials/docker-config.ts';
export { ImageError, type ImageErrorCode } from './errors.ts';
export { type HostSource, RegistryConfig } from './hosts/registry-config.ts';
export type { HostCapability, RegistryHost } from './hosts/registry-host.ts';
export { type Digest, hexOf } from './layers/digest.ts';
export type { UnpackBounds } from './layers/layer-meter.ts';
export { LayerStore } from './layers/layer-store.ts';
export type { RegistryAuth } from './registry/credentials.ts';
export type { OnProgress, TransferPhase, TransferProgress } from './registry/progress.ts';
export { Puller, type PullerOptions, type PullOptions } from './registry/puller.ts';
export { Pusher, type PusherOptions, type PushOptions } from './registry/pusher.ts';
export { calledBy } from './store/called-by.ts';
export type { ImageConfig } from './store/image-config.ts';
export type { ImageRecord, StoredImage } from './store/image-record.ts';
export {
  type ImageInstall,
  ImageStore,
  type ImageStoreOptions,
  type StoreUsage,
} from './store/image-store.ts';
export { Transports, type TransportsOptions } from './transport/transports.ts';
