import { shownJson } from '@wherry/bytes';
import { ClientError } from '../errors.ts';
import type { KubeObject } from '../objects/objects.ts';
import { fieldsAt, parseFieldPath } from './field-path.ts';

/**
 * What is waited for: a function of the object, `delete`, `create`, or in kubectl's words `condition=Ready`,
 * `condition=Ready=False` (the bare `Ready` will do), `jsonpath={.status.phase}=Running` (without a value: that there
 * is one).
 */
export type WaitCondition<T> = ((object: T) => boolean) | string;

/** Whether it is so; `object` is undefined while there is none. */
export type Judge<T> = (object: T | undefined) => boolean;

interface Condition {
  type?: string;
  status?: string;
  observedGeneration?: number;
}

/** Throws `ClientError` `bad-argument`. */
export function judgeOf<T extends KubeObject>(condition: WaitCondition<T>): Judge<T> {
  if (typeof condition === 'function')
    return (object) => object !== undefined && requireAnswer(condition(object));
  if (condition === 'delete') return (object) => object === undefined;
  if (condition === 'create') return (object) => object !== undefined;
  const [subject = '', ...rest] = condition.split('=');
  if (subject === 'jsonpath') return judgeField(rest.join('='));
  if (subject === 'condition' && rest[0]) return judgeStatus(rest[0], rest[1] ?? 'True');
  if (/^[A-Z]\w*$/.test(subject)) return judgeStatus(subject, rest[0] ?? 'True');
  throw new ClientError('bad-argument', `"${condition}" is nothing that can be waited for`);
}

/** A function that answers later would hold at once: every promise is truthy. Throws `ClientError` `bad-argument`. */
function requireAnswer(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('then' in answer)) return Boolean(answer);
  Promise.resolve(answer).catch(() => {});
  const message = 'the condition answers a promise; it has to answer at once, from the object alone';
  throw new ClientError('bad-argument', message);
}

/** A condition that was observed before the object's latest change says nothing about it. */
function judgeStatus<T extends KubeObject>(type: string, wanted: string): Judge<T> {
  const isSame = (text: string | undefined, other: string) => text?.toLowerCase() === other.toLowerCase();
  return (object) => {
    const status = (object as { status?: { conditions?: unknown; observedGeneration?: number } } | undefined)
      ?.status;
    if (!Array.isArray(status?.conditions)) return false;
    const found = (status.conditions as Condition[]).find((condition) => isSame(condition.type, type));
    const observed = found?.observedGeneration ?? status.observedGeneration;
    const generation = object?.metadata?.generation;
    const isOld = observed !== undefined && generation !== undefined && observed < generation;
    return !isOld && isSame(found?.status, wanted);
  };
}

function judgeField<T extends KubeObject>(text: string): Judge<T> {
  const match = /^(?:\{([^}]*)\}|([^={}]*))(?:=(.*))?$/s.exec(text);
  if (!match)
    throw new ClientError(
      'bad-argument',
      `"jsonpath=${text}" is no jsonpath={PATH} or jsonpath={PATH}=VALUE`,
    );
  const [, inBraces, bare = '', value] = match;
  const path = parseFieldPath(inBraces ?? bare);
  return (object) => {
    const found = object === undefined ? [] : fieldsAt(object, path);
    return value === undefined ? found.length > 0 : found.some((each) => shownJson(each) === value);
  };
}
