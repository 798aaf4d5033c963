import { EventSender } from './events/event-sender.ts';
import { type Ground, layGround } from './ground.ts';
import { ImageCollector } from './images/image-collector.ts';
import { LogRotator } from './logs/log-rotator.ts';
import { NodeAgent } from './node-agent.ts';
import type { Kubelet, StartKubeletOptions } from './options.ts';
import { PodMachinery } from './pod-machinery.ts';
import { startKubeletServer } from './server/kubelet-server.ts';
import { ApiSource } from './sources/api-source.ts';
import { FileSource } from './sources/file-source.ts';
import type { PodSource } from './sources/pod-changes.ts';

/**
 * Starts a kubelet: registers the node, takes pods from the API server and the manifest folder, runs them by the CRI
 * endpoint, and serves the kubelet API. Resolves when the server listens; the node becomes ready as soon as the
 * runtime is. Throws ConfigurationError.
 */
export async function startKubelet(options: StartKubeletOptions = {}): Promise<Kubelet> {
  const ground = await layGround(options);
  const { client, clock, logger, metrics, nodeName, configuration } = ground;
  const dropped = metrics.counter('kubelet_events_dropped_total', 'Events that were not sent, by why.');
  const recorder = new EventSender({
    client,
    clock,
    logger,
    nodeName,
    dropped,
    rate: { perSecond: configuration.eventRecordQPS, burst: configuration.eventBurst },
  });
  const machinery = new PodMachinery(ground, recorder, sourceCount(ground));
  const server = configuration.enableServer ? await startKubeletServer({ ground, machinery }) : undefined;
  const agent = new NodeAgent({
    ground,
    recorder,
    kubeletPort: () => server?.port ?? configuration.port,
    lifecycleProblem: () => machinery.lifecycle.problem,
    onRegistered: (node) => machinery.nodeRegistered(node),
  });
  agent.start();
  const sources = podSources(ground, machinery);
  const rotator = new LogRotator({ ground });
  const imageCollector = new ImageCollector({
    cri: ground.cri,
    configuration,
    nodeName,
    clock,
    logger,
    recorder,
    wantedImages: () => machinery.wantedImages(),
  });
  const begin = async () => {
    await agent.health.ready;
    await machinery.start(agent);
    for (const source of sources) source.start();
    rotator.start();
    imageCollector.start();
    agent.refresh();
  };
  void begin();
  return {
    nodeName,
    port: server?.port ?? 0,
    async close() {
      agent.close();
      rotator.close();
      imageCollector.close();
      await Promise.all(sources.map((source) => source.close()));
      await machinery.close();
      recorder.close();
      await server?.close();
      ground.cri.close();
      client?.close();
    },
  };
}

function sourceCount({ client, configuration }: Ground): number {
  return (client ? 1 : 0) + (configuration.staticPodPath ? 1 : 0);
}

function podSources(
  { client, clock, logger, nodeName, machine, configuration }: Ground,
  machinery: PodMachinery,
) {
  const handlers = machinery.loop;
  const sources: PodSource[] = [];
  const { staticPodPath: folder, fileCheckFrequency: checkMs } = configuration;
  if (folder) {
    const { hostname } = machine;
    sources.push(new FileSource({ folder, nodeName, hostname, checkMs, clock, logger, handlers }));
  }
  if (client) sources.push(new ApiSource({ client, clock, logger, nodeName, handlers }));
  return sources;
}
