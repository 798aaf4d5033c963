/** What extenders answer (k8s.io/kube-scheduler/extender/v1), read as Go reads it: names of fields in whatever case. Bounded by who receives it. */
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from '@wherry/kubeapi/objects';
import { limits } from '../../limits.ts';
import { ExtenderError } from './extender-error.ts';

/** Which nodes are left, and why others are not. */
export interface FilterAnswer {
  /** Undefined: it names none. */
  nodeNames: string[] | undefined;
  failed: ReadonlyMap<string, string>;
  /** No pod that goes would change it. */
  hopeless: ReadonlyMap<string, string>;
}

/** Throws {@link ExtenderError} for what is no such answer, and in the extender's own words where it tells of an error. */
export function readFilterAnswer(answer: JsonValue, isByName: boolean): FilterAnswer {
  const object = objectOf(answer, 'ExtenderFilterResult');
  throwTold(object);
  const names = fieldOf(object, 'NodeNames');
  const items = fieldOf(objectOf(fieldOf(object, 'Nodes') ?? {}, 'NodeList'), 'items');
  const listed = listOf(items, 'items').map((node) => {
    const metadata = objectOf(fieldOf(objectOf(node, 'Node'), 'metadata') ?? {}, 'ObjectMeta');
    return textOf(fieldOf(metadata, 'name'), 'name');
  });
  const isNamed = isByName && names !== undefined && names !== null;
  const hasNodes = (fieldOf(object, 'Nodes') ?? null) !== null;
  const named = isNamed ? listOf(names, 'NodeNames').map((name) => textOf(name, 'NodeNames')) : listed;
  return {
    nodeNames: isNamed || hasNodes ? named : undefined,
    failed: reasonsOf(fieldOf(object, 'FailedNodes')),
    hopeless: reasonsOf(fieldOf(object, 'FailedAndUnresolvableNodes')),
  };
}

/** Points by node. */
export function readPriorities(answer: JsonValue): Map<string, number> {
  const points = new Map<string, number>();
  for (const item of listOf(answer, 'HostPriorityList')) {
    const object = objectOf(item, 'HostPriority');
    const score = wholeOf(fieldOf(object, 'Score'), 'Score');
    const host = textOf(fieldOf(object, 'Host'), 'Host');
    points.set(host, (points.get(host) ?? 0) + score);
  }
  return points;
}

/** Victims by node: their uids, and how many of them are one too many for a disruption budget. */
export function readVictims(answer: JsonValue): Map<string, { uids: string[]; violations: number }> {
  const object = objectOf(answer, 'ExtenderPreemptionResult');
  const nodes = objectOf(fieldOf(object, 'NodeNameToMetaVictims') ?? {}, 'NodeNameToMetaVictims');
  return new Map(
    Object.entries(nodes).map(([name, each]) => {
      const victims = objectOf(each ?? {}, 'MetaVictims');
      const pods = listOf(fieldOf(victims, 'Pods'), 'Pods');
      const uids = pods.map((pod) => textOf(fieldOf(objectOf(pod, 'MetaPod'), 'UID'), 'UID'));
      return [name, { uids, violations: wholeOf(fieldOf(victims, 'NumPDBViolations'), 'NumPDBViolations') }];
    }),
  );
}

/** Throws the error that an answer to a binding tells of. */
export function readBindingAnswer(answer: JsonValue): void {
  throwTold(objectOf(answer, 'ExtenderBindingResult'));
}

function throwTold(object: JsonObject): void {
  const told = textOf(fieldOf(object, 'Error'), 'Error');
  if (told !== '') throw new ExtenderError(short(told));
}

function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  const exact = ownValue(object, name);
  if (exact !== undefined) return exact;
  const alike = Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase());
  return alike === undefined ? undefined : ownValue(object, alike);
}

function reasonsOf(value: JsonValue | undefined): Map<string, string> {
  return new Map(
    Object.entries(objectOf(value ?? {}, 'FailedNodesMap')).map(([node, why]) => [
      node,
      short(textOf(why, node)),
    ]),
  );
}

/** What somebody says ends up in the statuses of pods. */
const short = (text: string): string => text.slice(0, limits.extenderReasonMax);

const wrong = (what: string) => new ExtenderError(`the extender's answer has an odd ${what}`);

function objectOf(value: JsonValue, what: string): JsonObject {
  if (!isJsonObject(value)) throw wrong(what);
  return value;
}

function listOf(value: JsonValue | undefined, what: string): JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(what);
  return value;
}

function wholeOf(value: JsonValue | undefined, what: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(what);
  return value;
}

function textOf(value: JsonValue | undefined, what: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw wrong(what);
  return value;
}
