import { ClientError, type KubeClient, kinds, logs, selectorText, type Target } from '@wherry/client';
import { deadline, systemClock } from '@wherry/clock';
import type { Event, LabelSelector, Pod } from '@wherry/kubeapi';
import { type Wait, waitOf, waitText } from '@wherry/podrules/pod-wait';
import { limits } from '../limits.ts';

/** Where a wait was in vain, and for what. */
export interface FailedWait {
  client: KubeClient;
  target: Target;
  /** As the wait had it. */
  namespace?: string | undefined;
}

/**
 * The failure of a wait with what a person would look for next: warnings about the object, and of it, or of the pods that
 * it selects, what each waits for and the end of its containers' logs. What can't be asked for is left out.
 */
export async function withReasons(error: unknown, wait: FailedWait): Promise<unknown> {
  if (!(error instanceof ClientError) || error.code !== 'timed-out') return error;
  using limit = deadline({ clock: systemClock, timeoutMs: limits.reasonsTimeoutMs });
  const lines = await reasonsOf(wait, limit.signal).catch(() => []);
  if (lines.length === 0) return error;
  return new ClientError('timed-out', [error.message, ...lines].join('\n  '), { cause: error.cause });
}

async function reasonsOf({ client, target, ...where }: FailedWait, signal: AbortSignal): Promise<string[]> {
  const object = await client.get<Pod>(target as string, { ...where, signal });
  const { namespace } = object.metadata;
  if (object.kind === 'Pod') return reasonsOfPod(client, object, signal, isToldByEvents);
  const warnings = namespace ? await eventsAbout(client, object, signal) : [];
  const { selector } = (object.spec ?? {}) as { selector?: LabelSelector };
  const lines = warnings.filter(isWarning).map(eventText);
  if (!namespace || !(selector?.matchLabels || selector?.matchExpressions)) return lines;
  const query = { namespace, labelSelector: selectorText(selector), signal };
  const { items } = await client.resource(kinds.pods).listAll(query);
  const late = items.filter(({ status }) => !isReady(status)).slice(0, limits.reasonPodsMax);
  const told = await Promise.all(late.map((pod) => reasonsOfPod(client, pod, signal)));
  return [...lines, ...late.flatMap(({ metadata }, at) => [`pod ${metadata.name}:`, ...told[at]!])];
}

/** What no status says, which the wait has told of. */
const isToldByEvents = (wait: Wait) => ['probe', 'sandbox', 'volumes'].includes(wait.for);

async function reasonsOfPod(
  client: KubeClient,
  pod: Pod,
  signal: AbortSignal,
  isTold: (wait: Wait) => boolean = () => true,
): Promise<string[]> {
  const events = await eventsAbout(client, pod, signal);
  const wait = waitOf(pod, events);
  const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
  const begun = [...initContainerStatuses, ...containerStatuses].filter(
    ({ ready, containerID }) => !ready && containerID,
  );
  const ends = await Promise.all(begun.map(({ name }) => endOfLog(client, pod, name, signal)));
  return [...(wait && isTold(wait) ? [`it waits for ${waitText(wait)}`] : []), ...ends.flat()];
}

/** The last lines of a container, as far as it has said something. */
async function endOfLog(
  client: KubeClient,
  { metadata }: Pod,
  container: string,
  signal: AbortSignal,
): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  const { name: pod, namespace } = metadata;
  const request = { pod: pod ?? '', namespace, container, tailLines: limits.reasonLogLines, signal };
  try {
    for await (const chunk of logs(client, request)) chunks.push(chunk);
  } catch {
    return [];
  }
  const text = Buffer.concat(chunks).toString('utf8').trimEnd();
  if (text === '') return [];
  const lines = text.split('\n').map((line) => `  ${line.slice(0, limits.reasonLineCharacters)}`);
  return [`container ${container} said last:`, ...lines];
}

/** The oldest first, as their times have it. */
async function eventsAbout(client: KubeClient, { metadata }: Pod, signal: AbortSignal): Promise<Event[]> {
  const fieldSelector = `involvedObject.uid=${metadata.uid}`;
  const query = { namespace: metadata.namespace, fieldSelector, signal };
  const { items } = await client.resource(kinds.events).listAll(query);
  return items.sort((left, right) => lastSeen(left).localeCompare(lastSeen(right)));
}

const lastSeen = ({ series, lastTimestamp, eventTime, metadata }: Event) =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

const isWarning = ({ type }: Event) => type === 'Warning';
const eventText = ({ reason, message }: Event) => `${reason}: ${message?.trim()}`;
const isReady = (status: Pod['status']) =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;
