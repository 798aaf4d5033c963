import type { BuildOptions } from '../archive/build.ts';
import type { ImageErrorCode } from '../errors.ts';
import type { RegistryAuth } from '../registry/credentials.ts';
import type { TransferProgress } from '../registry/progress.ts';

/**
 * How the command line asks the image store of a running runtime: HTTP/1.1 on a unix socket beside CRI's,
 * because CRI can neither take an image as a stream nor make one.
 */

/** An image in an answer. */
export interface ImageSummary {
  /** `sha256:` and 64 hexadecimal digits. */
  id: string;
  /** Every `repository:tag` it has. */
  names: string[];
  digests: string[];
  sizeBytes: number;
}

/** An image with everything known of it. */
export interface ImageDetails extends ImageSummary {
  manifestDigest: string;
  pinned: boolean;
  storedAtMs: number;
  config: {
    architecture: string;
    created: string;
    user: string;
    env: string[];
    entrypoint: string[];
    cmd: string[];
    workingDir: string;
    labels: Record<string, string>;
    stopSignal: string;
    exposedPorts: string[];
    diffIds: string[];
  };
}

/** How to build an image from a tar of its root file system. */
export type ImageBuildRequest = BuildOptions;

/** Paths of the requests; options go as JSON in the query parameter `options`. */
export const adminPaths = {
  load: '/load',
  build: '/build',
  images: '/images',
  pull: '/pull',
  push: '/push',
  save: '/save',
  prune: '/prune',
  pin: '/pin',
} as const;

/** Options of a pull. */
export interface ImagePullRequest {
  auth?: RegistryAuth | undefined;
}

/** Options of a push. */
export interface ImagePushRequest {
  /** Name to push it under. Default: the one that it is asked for by. */
  as?: string | undefined;
  auth?: RegistryAuth | undefined;
}

/** Which images go. */
export interface ImagePruneRequest {
  /** All that no container uses; else only those without a name. Pinned ones stay. Default false. */
  all?: boolean | undefined;
}

/** What a prune has removed. */
export interface PruneResult {
  removed: ImageSummary[];
  /** Unpacked bytes that came free. */
  freedBytes: number;
}

/** A line of the answer to a pull or a push: news, and at the end what came of it. */
export type TransferLine<Result> =
  | { progress: TransferProgress }
  | { result: Result }
  | { failure: AdminFailure };

/** How a refusal is told: HTTP status 4xx or 5xx with this body. */
export interface AdminFailure {
  code: ImageErrorCode;
  message: string;
}
