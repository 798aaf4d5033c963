import { layGround } from './ground/ground.ts';
import type { Kubelet, StartKubeletOptions } from './ground/options.ts';
import { beginRooms, buildRooms, endRooms } from './rooms.ts';
import { startKubeletServer } from './server/kubelet-server.ts';

/**
 * Starts a kubelet: registers the node, takes pods from the API server and the manifest folder, runs them by the CRI
 * endpoint, and serves the kubelet API. Resolves when the server listens; the node becomes ready as soon as the
 * runtime is. Throws ConfigurationError.
 */
export async function startKubelet(options: StartKubeletOptions = {}): Promise<Kubelet> {
  const rooms = buildRooms(await layGround(options));
  const { nodeName, configuration } = rooms.ground;
  const server = configuration.enableServer ? await startKubeletServer(rooms) : undefined;
  void beginRooms(rooms, server?.port ?? configuration.port);
  return {
    nodeName,
    port: server?.port ?? 0,
    async close() {
      await endRooms(rooms);
      await server?.close();
      rooms.ground.cri.close();
      rooms.ground.clientRotation?.close();
      rooms.ground.client?.close();
      await rooms.ground.tracer.close();
    },
  };
}
