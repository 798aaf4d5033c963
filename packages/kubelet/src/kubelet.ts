import { type Ground, layGround } from './ground/ground.ts';
import type { Kubelet, StartKubeletOptions } from './ground/options.ts';
import { beginRooms, buildRooms, endRooms, holdReserves, type Rooms } from './rooms.ts';
import { type KubeletServer, startKubeletServer } from './server/kubelet-server.ts';

/**
 * Starts a kubelet: registers the node, takes pods from the API server and the manifest folder, runs them by the CRI
 * endpoint, and serves the kubelet API. Resolves when the server listens; the node becomes ready as soon as the
 * runtime is. Throws ConfigurationError.
 */
export async function startKubelet(options: StartKubeletOptions = {}): Promise<Kubelet> {
  const rooms = await roomsOn(await layGround(options));
  const { nodeName, configuration } = rooms.ground;
  const server = configuration.enableServer ? await serverOf(rooms) : undefined;
  void beginRooms(rooms, server?.port ?? configuration.port);
  return {
    nodeName,
    port: server?.port ?? 0,
    async close() {
      await endRooms(rooms);
      await server?.close();
      leave(rooms.ground);
      await rooms.ground.tracer.close();
    },
  };
}

/** The rooms; where they can't be built as the configuration has it, the ground is left again. */
async function roomsOn(ground: Ground): Promise<Rooms> {
  try {
    const rooms = buildRooms(ground);
    await holdReserves(rooms);
    return rooms;
  } catch (error) {
    leave(ground);
    throw error;
  }
}

/** The server; where it can't be started, the rooms and the ground are left again. */
async function serverOf(rooms: Rooms): Promise<KubeletServer> {
  try {
    return await startKubeletServer(rooms);
  } catch (error) {
    await endRooms(rooms);
    leave(rooms.ground);
    throw error;
  }
}

function leave({ cri, clientRotation, client }: Ground): void {
  cri.close();
  clientRotation?.close();
  client?.close();
}
