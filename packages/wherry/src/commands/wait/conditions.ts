import { shownJson } from '@wherry/bytes';
import type { KubeObject } from '@wherry/client';
import { CommandError } from '../../errors.ts';
import type { Template } from '../../output/jsonpath/parse.ts';
import { relaxedPath, valuesAt } from '../../output/jsonpath/relaxed-path.ts';

/** Something that `wait --for` names: that an object is there, that it is gone, or that it is so. */
export type ForCondition = 'create' | 'delete' | Check;

/** Whether it is so. Throws `CommandError` where that can't be told of the object. */
export type Check = (object: KubeObject) => boolean;

/** Reads the values of `--for`, as kubectl reads them. Throws `CommandError`. */
export function readConditions(texts: readonly string[]): ForCondition[] {
  if (texts.length === 0) throw new CommandError('unrecognized condition: []');
  return texts.map(readCondition);
}

function readCondition(text: string): ForCondition {
  const lower = text.toLowerCase();
  if (lower === 'create' || lower === 'delete') return lower;
  const [, form, rest = ''] = /^(condition|jsonpath)=(.*)$/s.exec(text) ?? [];
  if (form === 'condition') return statusCheck(rest);
  if (form === 'jsonpath') return fieldCheck(rest);
  throw new CommandError(`unrecognized condition: ${JSON.stringify(text)}`);
}

interface Condition {
  type?: string;
  status?: string;
  observedGeneration?: number;
}

/** A condition that was observed before the object's latest change says nothing about it. */
function statusCheck(text: string): Check {
  const [, name = '', wanted = 'true'] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
  return (object) => {
    const { status } = object as { status?: { conditions?: unknown; observedGeneration?: number } };
    if (!Array.isArray(status?.conditions)) return false;
    const found = (status.conditions as Condition[]).find(({ type }) => isSame(type, name));
    const observed = found?.observedGeneration ?? status.observedGeneration;
    const generation = object.metadata?.generation;
    const isOld = observed !== undefined && generation !== undefined && observed < generation;
    return !isOld && isSame(found?.status, wanted);
  };
}

/** `PATH` for a field that is there, `PATH=VALUE` for one that has this value. */
function fieldCheck(text: string): Check {
  const [path = '', value, ...more] = splitAtEquals(text);
  if (more.length > 0) {
    throw new CommandError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  }
  if (path === '') throw new CommandError('jsonpath expression cannot be empty');
  const steps = relaxedPath(path);
  if (value === undefined) return (object) => onlyValue(steps, object) !== undefined;
  const wanted = value.replace(/^['"]+|['"]+$/g, '');
  if (wanted === '') {
    throw new CommandError(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    );
  }
  return (object) => {
    const found = onlyValue(steps, object);
    if (found === undefined) return false;
    if (typeof found === 'object' && found !== null)
      throw new CommandError('jsonpath leads to a nested object or list which is not supported');
    return (found === null ? '<nil>' : shownJson(found)).trim() === wanted.trim();
  };
}

/** At each `=`, but not at the `==` of a filter. */
const splitAtEquals = (text: string): string[] => text.split(/(?<!=)=(?!=)/);

function onlyValue(steps: Template, object: KubeObject): unknown {
  const [value, ...more] = valuesAt(steps, object);
  if (more.length > 0) throw new CommandError('given jsonpath expression matches more than one value');
  return value;
}
