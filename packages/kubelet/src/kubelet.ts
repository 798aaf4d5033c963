import { layGround } from './ground/ground.ts';
import type { Kubelet, StartKubeletOptions } from './ground/options.ts';
import { buildRooms, type Rooms } from './rooms.ts';
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
  rooms.execution.evictor.start();
  rooms.reporting.agent.start(server?.port ?? configuration.port);
  void begin(rooms);
  return {
    nodeName,
    port: server?.port ?? 0,
    async close() {
      await end(rooms);
      await server?.close();
      rooms.ground.cri.close();
      rooms.ground.client?.close();
    },
  };
}

/** Once the runtime answers: first what runs already, then what should. */
async function begin({ observation, reporting, execution, intake }: Rooms): Promise<void> {
  await reporting.agent.health.ready;
  intake.loop.start();
  await observation.lifecycle.start();
  for (const source of intake.sources) source.start();
  execution.rotator.start();
  execution.imageCollector.start();
  reporting.agent.refresh();
}

async function end({ observation, reporting, execution, intake }: Rooms): Promise<void> {
  reporting.agent.close();
  execution.evictor.close();
  execution.rotator.close();
  execution.imageCollector.close();
  await Promise.all(intake.sources.map((source) => source.close()));
  observation.lifecycle.close();
  intake.loop.close();
  reporting.statuses.close();
  execution.probes.close();
  await execution.inputs.close();
  reporting.recorder.close();
}
