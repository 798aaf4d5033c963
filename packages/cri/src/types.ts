import type { ImageServiceMethods, RuntimeServiceMethods } from './generated/types.ts';
import type { ClientOf, HandlersOf } from './grpc/types.ts';

/** Every method of the runtime service. */
export type RuntimeServiceClient = ClientOf<RuntimeServiceMethods>;
/** Every method of the image service. */
export type ImageServiceClient = ClientOf<ImageServiceMethods>;
/** Handlers of the runtime service; a method without one answers UNIMPLEMENTED. */
export type RuntimeServiceHandlers = HandlersOf<RuntimeServiceMethods>;
/** Handlers of the image service; a method without one answers UNIMPLEMENTED. */
export type ImageServiceHandlers = HandlersOf<ImageServiceMethods>;
