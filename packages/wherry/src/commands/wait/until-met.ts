import { ClientError, type KubeClient, type KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import { withType } from '../../objects/catalog.ts';
import type { NamedObject } from '../../objects/targets.ts';
import type { ForCondition } from './conditions.ts';

/** Waits until a condition holds: the object then, or nothing where it is gone. Throws `CommandError` in kubectl's words when that takes longer. */
export async function untilMet(
  client: KubeClient,
  one: NamedObject,
  condition: Exclude<ForCondition, 'create'>,
  timeoutMs: number,
): Promise<KubeObject | undefined> {
  const { resource: type, name, namespace } = one;
  try {
    const whole =
      typeof condition === 'function' ? (item: KubeObject) => condition(withType(type, item)) : condition;
    return await client.waitFor<KubeObject>({ type, name, namespace }, whole, { timeoutMs });
  } catch (error) {
    throw error instanceof ClientError && error.code === 'timed-out' ? timedOut(one, error) : error;
  }
}

/** Said of an object that is not as it was waited for. */
export const timedOut = ({ resource, name }: NamedObject, cause?: unknown): CommandError =>
  new CommandError(`timed out waiting for the condition on ${resource.plural}/${name}`, { cause });
