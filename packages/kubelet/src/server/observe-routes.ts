import type { IncomingMessage, ServerResponse } from 'node:http';
import { ownValue, type Pod } from '@wherry/kubeapi';
import { processGauges } from '@wherry/linux';
import { HealthIndicators } from '@wherry/telemetry';
import { configurationFields } from '../configuration/configuration.ts';
import { buildGauges } from '../figures/build-gauges.ts';
import { Figures } from '../figures/figures.ts';
import { PodGauges } from '../figures/pod-gauges.ts';
import type { Ground } from '../ground/ground.ts';
import { orphanPod } from '../observation/orphan-pod.ts';
import { isStaticPod } from '../pod/assigned-pod.ts';
import type { Rooms } from '../rooms.ts';
import { answerJson, answerMetrics, HttpError } from './answers.ts';

/** Everything that is read from a kubelet: pods, statistics, metrics, configuration. */
export class ObserveRoutes {
  readonly #ground: Ground;
  readonly #rooms: Rooms;
  readonly #gauges: PodGauges;
  readonly #figures: Figures;
  /** How health checks ended. */
  readonly indicators = new HealthIndicators();

  constructor(rooms: Rooms) {
    this.#ground = rooms.ground;
    this.#rooms = rooms;
    this.#gauges = new PodGauges(rooms);
    this.#figures = new Figures(rooms);
    buildGauges(rooms.ground.metrics, rooms.ground);
    processGauges(rooms.ground.metrics, rooms.ground.clock.nowMs());
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
    '/pods': (response) => answerJson(response, podList(this.#pods())),
    '/runningpods': async (response) => answerJson(response, podList(await this.#runningPods())),
    '/stats/summary': async (response, url) =>
      answerJson(
        response,
        await this.#figures.summary(url.searchParams.get('only_cpu_and_memory') === 'true'),
      ),
    '/metrics': async (response) => answerMetrics(response, await this.#metrics()),
    '/metrics/slis': (response) => answerMetrics(response, this.indicators.render()),
    '/metrics/probes': (response) => answerMetrics(response, this.#rooms.execution.probes.counts.render()),
    '/metrics/resource': async (response) => answerMetrics(response, await this.#figures.resource()),
    '/metrics/cadvisor': async (response) => answerMetrics(response, await this.#figures.cadvisor()),
    '/configz': (response) =>
      answerJson(response, { kubeletconfig: configurationFields.encode(this.#ground.configuration) }),
  };

  #pods(): Pod[] {
    const { statuses } = this.#rooms.reporting;
    return [...this.#rooms.board.store.pods].map((pod) => {
      const status = isStaticPod(pod) ? statuses.get(pod.metadata.uid) : pod.status;
      return { ...pod, ...(status ? { status } : {}) };
    });
  }

  async #runningPods(): Promise<Pod[]> {
    const { cache, lifecycle } = this.#rooms.observation;
    // The list of the runtime is a second old: a pod that has begun since is one that is wanted.
    const wanted = [...this.#rooms.board.store.pods].map(({ metadata }) => metadata.uid);
    const uids = new Set([...lifecycle.snapshot.keys(), ...wanted]);
    const records = await Promise.all([...uids].map((uid) => cache.get(uid)));
    return records.filter(({ sandboxes }) => sandboxes.some(({ state }) => state === 0)).map(orphanPod);
  }

  async #metrics(): Promise<string> {
    const pages = await Promise.all([this.#figures.claims(), this.#figures.logs()]);
    this.#gauges.measure();
    return [this.#ground.metrics.render(), ...pages].join('');
  }
}

function podList(items: readonly Pod[]): object {
  return { kind: 'PodList', apiVersion: 'v1', metadata: {}, items };
}
