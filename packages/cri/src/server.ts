import { schema } from './cri-schema.ts';
import { createGrpcServer, type GrpcServer } from './grpc/server.ts';
import type { ImageServiceHandlers, RuntimeServiceHandlers } from './types.ts';

/** What a CRI server answers with. */
export interface CriServerOptions {
  runtime: RuntimeServiceHandlers;
  images: ImageServiceHandlers;
}

/** A CRI server on a unix socket. */
export interface CriServer extends GrpcServer {}

/** Makes a CRI server from handlers; errors they throw become gRPC statuses by {@link CriError.from}. */
export function createCriServer({ runtime, images }: CriServerOptions): CriServer {
  return createGrpcServer([
    { schema, name: 'RuntimeService', handlers: runtime },
    { schema, name: 'ImageService', handlers: images },
  ]);
}
