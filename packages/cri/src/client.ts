import { schema } from './cri-schema.ts';
import type { ImageServiceMethods, RuntimeServiceMethods } from './generated/types.ts';
import { openConnection } from './grpc/connection.ts';
import type { ImageServiceClient, RuntimeServiceClient } from './types.ts';

/**
 * A connection to a CRI server. It connects on the first call and reconnects by itself; a call made while the server is
 * away waits up to `comeBackMs` (1 s) for it before it rejects with UNAVAILABLE.
 */
export interface CriClient {
  readonly runtime: RuntimeServiceClient;
  readonly images: ImageServiceClient;
  /** Ends the connection; calls under way reject with CANCELLED or UNAVAILABLE. */
  close(): void;
}

/**
 * Opens a client on a unix socket: a path, or upstream's form `unix:///path`. Throws INVALID_ARGUMENT for another scheme;
 * calls reject with {@link CriError}.
 */
export function createCriClient(endpoint: string): CriClient {
  const connection = openConnection(endpoint, 'CRI server');
  return {
    runtime: connection.service<RuntimeServiceMethods>(schema, 'RuntimeService'),
    images: connection.service<ImageServiceMethods>(schema, 'ImageService'),
    close: () => connection.close(),
  };
}
