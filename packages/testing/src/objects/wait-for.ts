import type { KubeObject } from '@wherry/client';
import { keepAlive, sleep, systemClock } from '@wherry/clock';
import { hasReason } from '@wherry/kubeapi';
import { TestingError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Place } from './resources.ts';

/**
 * What is waited for: a function of the object, the type of a condition that is to be `True` (`Ready`), a condition with
 * its status (`Ready=False`), `create` or `delete`.
 */
export type WaitCondition<Kind extends KubeObject = KubeObject> = ((object: Kind) => boolean) | string;

/** How long to wait. */
export interface WaitOptions {
  /** Default 30 s. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Resolves with the object once it is so, or with the last that was seen where it is to be gone. Throws `TestingError`
 * `timed-out`, `StatusError` or the signal's reason.
 */
export async function waitForObject<Kind extends KubeObject>(
  { resource, name, namespace }: Place,
  condition: WaitCondition<Kind>,
  { timeoutMs = limits.waitTimeoutMs, signal }: WaitOptions,
): Promise<Kind> {
  const isMet = judgeOf(condition);
  using _alive = keepAlive();
  const deadline = systemClock.monotonicMs() + timeoutMs;
  let last: Kind | undefined;
  for (;;) {
    const object = await resource.get({ name, namespace, signal }).then(
      (found) => found as Kind,
      (error: unknown) => {
        if (hasReason(error, 'NotFound')) return undefined;
        throw error;
      },
    );
    last = object ?? last;
    if (isMet(object)) return last ?? ({} as Kind);
    if (systemClock.monotonicMs() > deadline) {
      const what = typeof condition === 'string' ? `"${condition}"` : 'what was waited for';
      const at = `${resource.type.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
      throw new TestingError(
        'timed-out',
        `${at}: ${what} did not come within ${timeoutMs} ms; ${stateOf(object)}`,
      );
    }
    await sleep({ clock: systemClock, delayMs: limits.waitPollMs, signal });
  }
}

interface WithConditions extends KubeObject {
  status?: { phase?: string; conditions?: { type?: string; status?: string; message?: string }[] };
}

function judgeOf<Kind extends KubeObject>(condition: WaitCondition<Kind>): (object?: Kind) => boolean {
  if (typeof condition === 'function') return (object) => object !== undefined && condition(object);
  if (condition === 'delete') return (object) => object === undefined;
  if (condition === 'create') return (object) => object !== undefined;
  const [, type, status = 'True'] = /^(?:condition=)?([A-Z]\w*)(?:=(\w+))?$/.exec(condition) ?? [];
  if (!type) {
    const known = 'a condition such as Ready or Ready=False, create, delete, or a function';
    throw new TestingError('bad-argument', `"${condition}" can't be waited for; take ${known}`);
  }
  return (object) => {
    const { conditions = [] } = (object as WithConditions | undefined)?.status ?? {};
    return conditions.some((each) => each.type === type && each.status === status);
  };
}

function stateOf(object: WithConditions | undefined): string {
  if (!object) return 'it is not there';
  const { phase, conditions = [] } = object.status ?? {};
  const words = conditions.map(({ type, status, message }) => {
    const why = status !== 'True' && message ? ` (${message})` : '';
    return `${type}=${status}${why}`;
  });
  const parts = [...(phase ? [`phase ${phase}`] : []), ...words];
  return parts.length > 0 ? `it has ${parts.join(', ')}` : 'it has no status';
}
