import type { StoredObject } from '../api/fake-api.ts';
import type { Direction } from '../api/line.ts';
import { randomPod } from './pods.ts';
import type { Random } from './random.ts';

/** What is done to the world; `which` in [0, 1) chooses among what is there then. */
export type Action =
  | { kind: 'wait' }
  | { kind: 'create'; pod: StoredObject }
  | { kind: 'delete'; which: number; graceSeconds: number | undefined }
  | { kind: 'exit'; which: number; exitCode: number }
  | { kind: 'tear'; how: 'end' | 'cut' | 'break' }
  | { kind: 'compact' }
  | { kind: 'settings'; text: string }
  /** kill -9 of one of the processes. */
  | { kind: 'kill'; which: number; downMs: number }
  /** kill -9 of whoever has the n-th effect from now on. */
  | { kind: 'killAt'; effect: number; downMs: number }
  | { kind: 'away'; forMs: number }
  /** Nothing passes between kubelet and API server, one way or both. */
  | { kind: 'cut'; directions: readonly Direction[]; forMs: number }
  | { kind: 'backUp' }
  /** The API server starts with its backup in the place of its store. */
  | { kind: 'setBack' }
  | { kind: 'reboot' };

/** An action, and how long after the one before. */
export type Step = Action & { afterMs: number };

/** What {@link planSteps} draws. */
type Drawn = Exclude<Action['kind'], 'cut' | 'backUp' | 'setBack'>;

const names = ['a', 'b', 'c', 'd'];
const weights: readonly [Drawn, number][] = [
  ['create', 6],
  ['delete', 4],
  ['exit', 3],
  ['tear', 3],
  ['compact', 1],
  ['settings', 1],
  ['kill', 2],
  ['killAt', 4],
  ['away', 2],
  ['reboot', 0.4],
  ['wait', 2],
];

/** The steps of a run, all drawn before it begins, so that some can be left out and the rest stays what it was. */
export function planSteps(random: Random, count: number): Step[] {
  return Array.from({ length: count }, () => ({
    ...action(random),
    afterMs: random.pick([0, 0, 10, 60, 400, 1_500, 5_000, 15_000]),
  }));
}

/** Kinds of steps that a hurried run has kills for. */
const slowKinds: ReadonlySet<Action['kind']> = new Set(['tear', 'compact', 'settings', 'away']);

/** Steps that come fast, many of which kill whoever has one of the next effects. */
export function planHurriedSteps(random: Random, count: number): Step[] {
  return planSteps(random.fork(), count).map((step): Step => {
    if (step.kind === 'wait') return { ...step, afterMs: random.pick([3, 10, 60]) };
    if (!slowKinds.has(step.kind))
      return { ...step, afterMs: random.pick([0, 1, 3, 10, 40, 60, 400, 1_500, 5_000]) };
    const kill = { effect: random.between(1, 60), downMs: random.pick([0, 0, 100, 3_000]) };
    return { kind: 'killAt', ...kill, afterMs: random.pick([0, 3, 10, 60, 400, 1_500]) };
  });
}

/** Steps of a node that is cut off from its API server again and again, and of an API server that is set back. */
export function planPartedSteps(random: Random, count: number): Step[] {
  return planSteps(random.fork(), count).map((step): Step => {
    const { afterMs } = step;
    if (step.kind === 'tear' || step.kind === 'wait') {
      const directions = random.pick([['requests', 'answers'], ['requests'], ['answers']] as const);
      return { kind: 'cut', directions, forMs: random.pick([300, 4_000, 30_000, 150_000]), afterMs };
    }
    const kind = random.pick(['backUp', 'setBack', undefined] as const);
    const isMeant = step.kind === 'exit' || step.kind === 'kill' || step.kind === 'settings';
    return isMeant && kind ? { kind, afterMs } : step;
  });
}

function action(random: Random): Action {
  const kind = weighted(random);
  const which = random.next();
  const downMs = random.pick([0, 100, 3_000, 40_000]);
  switch (kind) {
    case 'create':
      return { kind, pod: randomPod(random, random.pick(names)) };
    case 'delete':
      return { kind, which, graceSeconds: random.pick([undefined, undefined, 0, 1, 20]) };
    case 'exit':
      return { kind, which, exitCode: random.pick([0, 1, 137]) };
    case 'tear':
      return { kind, how: random.pick(['end', 'cut', 'break'] as const) };
    case 'settings':
      return { kind, text: String(random.between(1, 99)) };
    case 'kill':
      return { kind, which, downMs };
    case 'killAt':
      return { kind, effect: random.between(1, 40), downMs };
    case 'away':
      return { kind, forMs: random.pick([200, 2_000, 12_000]) };
    default:
      return { kind };
  }
}

function weighted(random: Random): Drawn {
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [kind, weight] of weights) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'wait';
}

/** A step in one short line. */
export function describeStep({ afterMs, ...action }: Step): string {
  if (action.kind !== 'create') return `after ${afterMs} ms ${JSON.stringify(action)}`;
  const { metadata, spec } = action.pod;
  return `after ${afterMs} ms create ${metadata.name} ${JSON.stringify(spec)}`;
}
