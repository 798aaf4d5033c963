import { queryString } from '@wherry/client';
import { deadline } from '@wherry/clock';
import type { JsonValue } from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import type { ClusterView } from '../../machinery/cluster-view.ts';

/** What asking takes. */
export type Asker = Pick<ClusterView, 'client' | 'clock'>;

/** Gets what stands below `/apis`. Throws on names that are no steps of a path, and after `limits.metricsAnswerMs`. */
export async function ask(
  { client, clock }: Asker,
  steps: readonly string[],
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<JsonValue> {
  for (const step of steps) {
    if (step === '' || step === '.' || step === '..' || /[/%]/.test(step))
      throw new Error(`invalid name ${JSON.stringify(step)} in the path of a metric`);
  }
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const path = `/apis/${steps.map(encodeURIComponent).join('/')}${queryString(Object.fromEntries(given))}`;
  using limit = deadline({ clock, timeoutMs: limits.metricsAnswerMs, what: `GET ${path}`, signal });
  return await client.request<JsonValue>({ method: 'GET', path, signal: limit.signal });
}
