import { type Clock, DeadlineError, deadline } from '@wherry/clock';
import { ClientError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { KubeObject } from '../objects/objects.ts';
import type { ResourceClient } from '../resources/resource-client.ts';
import { followUntil } from './follow-until.ts';
import { judgeOf, type WaitCondition } from './wait-condition.ts';

/** How long to wait. */
export interface WaitOptions {
  /** Default: the target's, else the client's. */
  namespace?: string | undefined;
  /** Default 30 s, as kubectl's. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What is waited for, and by which clock. */
export interface WaitRequest<T extends KubeObject> {
  resource: ResourceClient<T>;
  /** Undefined for what has no namespace. */
  namespace: string | undefined;
  name: string;
  condition: WaitCondition<T>;
  clock: Clock;
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Resolves as soon as the condition holds, with the object as it then is: its last state for `delete`, undefined when
 * there was none. An object that is not there yet is waited for. Throws `ClientError` `timed-out` with what is missing,
 * `StatusError` when it may not be watched, or `signal.reason`.
 */
export async function waitFor<T extends KubeObject>(request: WaitRequest<T>): Promise<T | undefined> {
  const { resource, namespace, name, clock, condition } = request;
  const judge = judgeOf(condition);
  const timeoutMs = request.timeoutMs ?? limits.waitTimeoutMs;
  const seen: Seen<T> = { timeoutMs, isKnown: false, now: undefined, last: undefined, failure: undefined };
  using limit = deadline({ clock, timeoutMs, signal: request.signal });
  try {
    await followUntil<T>({
      ...{ resource, namespace, fieldSelector: `metadata.name=${name}`, clock, signal: limit.signal },
      see: (change) => {
        if (change.type === 'SYNCED') seen.now = change.objects[0];
        else seen.now = change.type === 'DELETED' ? undefined : change.object;
        seen.last = seen.now ?? seen.last;
        seen.isKnown = true;
        seen.failure = undefined;
        return judge(seen.now);
      },
      failed: (error) => {
        seen.failure = error;
      },
    });
    return seen.last;
  } catch (error) {
    if (!(error instanceof DeadlineError) || request.signal?.aborted) throw error;
    throw new ClientError('timed-out', describe(request, seen), { cause: error });
  }
}

interface Described {
  resource: { type: { plural: string } };
  name: string;
  condition: unknown;
}

interface Seen<T> {
  timeoutMs: number;
  /** Whether the server has told of it at all. */
  isKnown: boolean;
  now: T | undefined;
  last: T | undefined;
  /** What went wrong since the server told of it last. */
  failure: Error | undefined;
}

function describe(
  { resource, name, condition }: Described,
  { timeoutMs, isKnown, now, last, failure }: Seen<KubeObject>,
): string {
  const what = typeof condition === 'string' ? condition : 'what was waited for';
  const known = now ? stateOf(now) : last ? 'it was deleted meanwhile' : 'it is not there';
  const told = failure ? `${isKnown ? `${known}; then ` : ''}${failure.message}` : known;
  return `${resource.type.plural}/${name}: ${what} did not come within ${timeoutMs / 1000} s; ${isKnown || failure ? told : 'the server has not answered'}`;
}

/** What is read of a status to tell why something does not come. */
interface ToldStatus {
  phase?: string;
  conditions?: { type?: string; status?: string; message?: string }[];
  initContainerStatuses?: ToldContainer[];
  containerStatuses?: ToldContainer[];
}

interface ToldContainer {
  name?: string;
  state?: { waiting?: { reason?: string; message?: string }; terminated?: ToldEnd };
  lastState?: { terminated?: ToldEnd };
}

interface ToldEnd {
  reason?: string;
  message?: string;
  exitCode?: number;
}

function stateOf(object: KubeObject): string {
  const { status = {} } = object as { status?: ToldStatus };
  const conditions = (status.conditions ?? []).map((each) => {
    const isGood = each.status === 'True' && !each.type?.includes('Fail');
    const why = isGood || !each.message ? '' : ` (${short(each.message)})`;
    return `${each.type}=${each.status}${why}`;
  });
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const { deletionTimestamp, finalizers = [] } = object.metadata ?? {};
  const waits = finalizers.length > 0 ? `that waits for ${finalizers.join(', ')}` : 'under way';
  const parts = [
    deletionTimestamp && `a deletion ${waits}`,
    status.phase && `phase ${status.phase}`,
    conditions.join(' '),
    ...containers.map(containerText),
  ].filter(Boolean);
  return parts.length > 0 ? `it has ${parts.join(', ')}` : 'it is there, and has no status';
}

function containerText({ name, state = {}, lastState }: ToldContainer): string | undefined {
  const { waiting, terminated } = state;
  if (terminated) return `container ${name} ${endText(terminated)}`;
  const before = lastState?.terminated && `it ${endText(lastState.terminated)}`;
  if (!waiting) return before && `container ${name} started anew after ${before}`;
  const why = waiting.message ? `: ${short(waiting.message)}` : '';
  return `container ${name} waiting (${waiting.reason}${why})${before ? `; ${before}` : ''}`;
}

const endText = ({ exitCode, reason, message }: ToldEnd) =>
  `ended with exit code ${exitCode} (${reason}${message ? `: ${short(message.trim())}` : ''})`;

const short = (text: string) =>
  text.length > limits.statusMessageCharactersMax
    ? `${text.slice(0, limits.statusMessageCharactersMax)}…`
    : text;
