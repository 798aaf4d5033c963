import type { Digest } from '../layers/digest.ts';
import type { ImageConfig } from './image-config.ts';

/** What the store remembers of an image. */
export interface ImageRecord {
  /** Digest of the configuration, what CRI calls the image's id; of an artifact, whose configuration may be empty, of its manifest. */
  id: Digest;
  /** What an OCI artifact is; its blobs are files that can be mounted, and nothing of it can be run. */
  artifactType?: string | undefined;
  /** Canonical `repository:tag` names. */
  tags: string[];
  /** Canonical `repository@digest` names. */
  digests: string[];
  manifestDigest: Digest;
  /** Configuration and packed layers together, as registries count. */
  sizeBytes: number;
  /** Digests of its packed layers, lowest first, which the store holds unless it had no room; unknown of old records. An artifact's configuration is the last one. */
  packedDigests?: Digest[] | undefined;
  /** Keys of its layers in the layer store, lowest first. */
  layerKeys: string[];
  /** Never removed by image garbage collection. */
  pinned: boolean;
  /** When it came into the store, milliseconds since the epoch. */
  storedAtMs: number;
}

/** An image with its configuration at hand. */
export interface StoredImage extends ImageRecord {
  config: ImageConfig;
}
