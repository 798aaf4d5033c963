import { labelValueFormat, qualifiedName, type Taint, type TaintEffect } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';

/** What is to become of the taints of nodes. */
export interface TaintChanges {
  add: readonly Taint[];
  remove: readonly TaintsMeant[];
}

/** The taint of a key and an effect, or all of the key. */
export interface TaintsMeant {
  key: string;
  effect?: TaintEffect | undefined;
}

/** Reads `KEY=VALUE:EFFECT` and `KEY:EFFECT`, and behind them a `-` or `KEY-`. Throws `CommandError` for what is none of them. */
export function parseTaints(words: readonly string[]): TaintChanges {
  const add: Taint[] = [];
  const remove: TaintsMeant[] = [];
  for (const word of words) {
    if (word.endsWith('-')) {
      const { key, effect } = parseTaint(word.slice(0, -1));
      remove.push({ key, effect });
      continue;
    }
    const { key, value, effect } = parseTaint(word);
    if (effect === undefined) throw new CommandError(`invalid taint spec: ${word}`);
    if (add.some((one) => isMeant(one, { key, effect }))) {
      const taint = `{${key} ${value} ${effect} <nil>}`;
      throw new CommandError(`duplicated taints with the same key and effect: ${taint}`);
    }
    add.push({ key, ...(value === '' ? {} : { value }), effect });
  }
  return { add, remove };
}

/** A `KEY=VALUE` without an effect is taken for a key, which is refused as one. */
function parseTaint(text: string): TaintsMeant & { value: string } {
  const [front = '', effect, ...more] = text.split(':');
  if (more.length > 0) throw new CommandError(`invalid taint spec: ${text}`);
  if (effect === undefined) return { key: checkedKey(front, text), value: '' };
  if (!isEffect(effect)) throw new CommandError(`invalid taint effect: ${effect}, unsupported taint effect`);
  const [key = '', value = '', ...others] = front.split('=');
  if (others.length > 0) throw new CommandError(`invalid taint spec: ${text}`);
  const problems = labelValueFormat(value);
  if (problems.length > 0) throw new CommandError(`invalid taint spec: ${text}, ${problems.join('; ')}`);
  return { key: checkedKey(key, text), value, effect };
}

function checkedKey(key: string, text: string): string {
  const problems = qualifiedName(key);
  if (problems.length === 0) return key;
  throw new CommandError(`invalid taint spec: ${text}, ${problems.join('; ')}`);
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] satisfies TaintEffect[];

const isEffect = (text: string): text is TaintEffect => effects.includes(text);

const isMeant = (taint: Taint, { key, effect }: TaintsMeant): boolean =>
  taint.key === key && (effect === undefined || taint.effect === effect);

/** Taints that are both to be added and to be removed, by the words that remove them. */
export const contradictions = ({ add, remove }: TaintChanges): string[] =>
  add.flatMap((taint) =>
    remove.filter((meant) => isMeant(taint, meant)).map(({ key, effect = '' }) => `${key}=${effect}`),
  );

/** Keys of taints that are there already, with the same effect. */
export const keysThere = (taints: readonly Taint[], { add }: TaintChanges): string[] =>
  add.filter((taint) => taints.some((one) => isMeant(one, taint))).map(({ key }) => key);

/** What changes make of the taints of a node. */
export interface ChangedTaints {
  taints: Taint[];
  /** There is one more than before, for all that was removed. */
  isAdded: boolean;
  /** Those to be removed that are not there. */
  absent: string[];
}

/** New taints come first, in place of those of the same key and effect. */
export function changedTaints(before: readonly Taint[], { add, remove }: TaintChanges): ChangedTaints {
  const kept = before.filter((taint) => !add.some((one) => isMeant(taint, one)));
  let taints = [...add, ...kept];
  const isAdded = taints.length !== before.length;
  const absent: string[] = [];
  for (const meant of remove) {
    const left = taints.filter((taint) => !isMeant(taint, meant));
    if (left.length === taints.length)
      absent.push(meant.effect === undefined ? meant.key : `${meant.key}:${meant.effect}`);
    taints = left;
  }
  return { taints, isAdded, absent };
}
