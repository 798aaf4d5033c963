/** gRPC for the simulated kubelet: nobody calls its own servers, and they listen nowhere. */
import type { GrpcServer } from '@wherry/cri/grpc';

export { CriError, goName, inGoWords, isCriError, messageCodec, openConnection } from '@wherry/cri/grpc';

export function createGrpcServer(): GrpcServer {
  return { listen: async () => {}, close: async () => {} };
}
