import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownValue, type Pod } from '@wherry/kubeapi';
import { configurationFields } from '../configuration/configuration.ts';
import type { Ground } from '../ground/ground.ts';
import { orphanPod } from '../observation/orphan-pod.ts';
import { resourceMetrics } from '../observation/resource-metrics.ts';
import { statsSummary } from '../observation/stats-summary.ts';
import { isStaticPod } from '../pod/assigned-pod.ts';
import type { Rooms } from '../rooms.ts';
import { answerJson, answerText, HttpError } from './answers.ts';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const syncLoopSilenceMsMin = 300_000;

/** Everything that is read from a kubelet: health, pods, statistics, metrics, configuration. */
export class ObserveRoutes {
  readonly #ground: Ground;
  readonly #rooms: Rooms;
  readonly #gauges: ReturnType<typeof createGauges>;

  constructor(rooms: Rooms) {
    this.#ground = rooms.ground;
    this.#rooms = rooms;
    this.#gauges = createGauges(rooms.ground);
  }

  /** Answers the request, or returns false when the path is none of these. */
  async serve(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> {
    const path = url.pathname.replace(/\/$/, '');
    const answer = ownValue(this.#answers, path);
    if (!answer) return false;
    if (request.method !== 'GET' && request.method !== 'HEAD' && path !== '/stats/summary') {
      throw new HttpError(405, 'Method Not Allowed', [['Allow', 'GET']]);
    }
    await answer(response, url);
    return true;
  }

  readonly #answers: Record<string, (response: ServerResponse, url: URL) => void | Promise<void>> = {
    '/healthz': (response) => {
      this.#checkSyncLoop();
      answerText(response, 'ok');
    },
    '/healthz/ping': (response) => answerText(response, 'ok'),
    '/healthz/log': (response) => answerText(response, 'ok'),
    '/healthz/syncloop': (response) => {
      this.#checkSyncLoop();
      answerText(response, 'ok');
    },
    '/pods': (response) => answerJson(response, podList(this.#pods())),
    '/runningpods': async (response) => answerJson(response, podList(await this.#runningPods())),
    '/stats/summary': async (response, url) =>
      answerJson(
        response,
        await statsSummary(this.#ground, url.searchParams.get('only_cpu_and_memory') === 'true'),
      ),
    '/metrics': (response) => answerText(response, this.#metrics(), metricsType),
    '/metrics/probes': (response) =>
      answerText(response, this.#rooms.execution.probes.counts.render(), metricsType),
    '/metrics/resource': async (response) =>
      answerText(response, await resourceMetrics(this.#ground), metricsType),
    '/configz': (response) =>
      answerJson(response, { kubeletconfig: configurationFields.encode(this.#ground.configuration) }),
  };

  #checkSyncLoop(): void {
    const { clock, configuration } = this.#ground;
    const { enteredMs } = this.#rooms.intake.loop;
    const allowedMs = Math.max(2 * configuration.syncFrequency, syncLoopSilenceMsMin);
    if (enteredMs > 0 && clock.monotonicMs() - enteredMs > allowedMs) {
      throw new HttpError(
        500,
        '[-]syncloop failed: sync Loop took longer than expected\nhealthz check failed',
      );
    }
  }

  #pods(): Pod[] {
    const { statuses } = this.#rooms.reporting;
    return [...this.#rooms.board.store.pods].map((pod) => {
      const status = isStaticPod(pod) ? statuses.get(pod.metadata.uid) : pod.status;
      return { ...pod, ...(status ? { status } : {}) };
    });
  }

  async #runningPods(): Promise<Pod[]> {
    const { cache, lifecycle } = this.#rooms.observation;
    const records = await Promise.all([...lifecycle.snapshot.keys()].map((uid) => cache.get(uid)));
    return records.filter(({ sandboxes }) => sandboxes.some(({ state }) => state === 0)).map(orphanPod);
  }

  #metrics(): string {
    const { board, execution, observation } = this.#rooms;
    const { store } = board;
    const gauges = this.#gauges;
    gauges.desired.set([...store.pods].length);
    gauges.working.set(execution.workers.size);
    gauges.mirrors.set([...store.mirrors].length);
    gauges.running.set(observation.lifecycle.snapshot.size);
    return this.#ground.metrics.render();
  }
}

function createGauges({ metrics, nodeName }: Ground) {
  metrics.gauge('kubelet_node_name', "The node's name. The count is always 1.").set(1, { node: nodeName });
  return {
    desired: metrics.gauge('kubelet_desired_pods', 'Pods this kubelet is told to run.'),
    working: metrics.gauge('kubelet_working_pods', 'Pods that have a worker.'),
    mirrors: metrics.gauge('kubelet_mirror_pods', 'Mirror pods known to this kubelet.'),
    running: metrics.gauge('kubelet_running_pods', 'Pods the runtime holds.'),
  };
}

function podList(items: readonly Pod[]): object {
  return { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
}
