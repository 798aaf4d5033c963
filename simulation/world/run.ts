import { giveOwnPids } from '../machine/own-pid.ts';
import { holdGhosts } from './ghosts.ts';
import { containerStatuses, differences, isOver } from './invariants.ts';
import { leaks } from './leaks.ts';
import { Random } from './random.ts';
import type { RuntimeKind } from './runtime-side.ts';
import { describeStep, planHurriedSteps, planPartedSteps, planSteps, type Step } from './steps.ts';
import { World } from './world.ts';

/** How a run ended. */
export interface Outcome {
  seed: number;
  runtime: RuntimeKind;
  steps: readonly Step[];
  /** Undefined for a run in which nothing was wrong. */
  failure: Error | undefined;
  trace: readonly string[];
}

/** How long everything may take to be as it should, once nothing goes wrong any more: longest back-off and more. */
const calmMs = 420_000;
const clearMs = 240_000;
/** Between two looks whether it is, and how many in a row have to find that. */
const lookMs = 7_000;
const looksWanted = 3;

/** Steps of a run when no other number is given. */
export const stepsDefault = 40;

/** Steps with time between them, close ones that kill more, or such that part the kubelet from its API server. */
export const paces = ['steady', 'hurried', 'parted'] as const;
export type Pace = (typeof paces)[number];

/** What is run. */
export interface RunOptions {
  /** Which container runtime stands below the kubelet. */
  runtime: RuntimeKind;
  /** Default {@link stepsDefault}. */
  steps?: number;
  /** How close together they come. Default `steady`. */
  pace?: Pace;
  /** Instead of those that follow from the seed. */
  chosen?: readonly Step[];
  /** Errors tell where they were made, which takes a tenth more time. */
  hasStacks?: boolean;
}

const plan = (seed: number, { steps = stepsDefault, pace }: Pick<RunOptions, 'steps' | 'pace'>) =>
  planOf[pace ?? 'steady'](seed, steps);

const planOf: Record<Pace, (seed: number, steps: number) => Step[]> = {
  steady: (seed, steps) => planSteps(new Random(seed).fork(), steps),
  hurried: (seed, steps) => planHurriedSteps(new Random(seed + 77), steps),
  parted: (seed, steps) => planPartedSteps(new Random(seed + 78), steps),
};

/** Runs a seed: its steps, or those of them that are given. */
export async function run(seed: number, { runtime, ...options }: RunOptions): Promise<Outcome> {
  const steps = options.chosen ?? plan(seed, options);
  giveOwnPids();
  using ghosts = holdGhosts();
  using _stacks = options.hasStacks ? undefined : withoutStacks();
  const machineRandom = Math.random;
  const numbers = new Random(seed + 1);
  Math.random = () => numbers.next();
  const world = new World(new Random(seed + 2), { runtime });
  let failure: Error | undefined;
  try {
    await play(world, steps);
  } catch (error) {
    failure = error as Error;
  } finally {
    Math.random = machineRandom;
  }
  const trace = [...world.trace];
  for (const name of ['kubelet', ...world.below.names]) world.kill(name, Number.MAX_SAFE_INTEGER);
  await ghosts.end();
  return { seed, runtime, steps, failure, trace };
}

function withoutStacks(): Disposable {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  return {
    [Symbol.dispose]() {
      Error.stackTraceLimit = stackTraceLimit;
    },
  };
}

async function play(world: World, steps: readonly Step[]): Promise<void> {
  world.start();
  await world.pass(3_000);
  for (const step of steps) {
    await world.pass(step.afterMs);
    world.note(`> ${describeStep(step)}`);
    world.act(step);
  }
  await world.pass(1_000);
  world.endFaults();
  world.note('> nothing goes wrong any more');
  await settle(world, calmMs, () => differences(world.api, world.containers));
  for (const pod of world.api.objects('pods')) {
    const states = containerStatuses(pod).map(({ name, state }) => `${name} ${Object.keys(state)}`);
    world.note(`pod ${pod.metadata.name} ${pod.status?.phase}: ${states.join(', ')}`);
    world.deletePod(pod, isOver(pod) ? 0 : undefined);
  }
  await settle(world, clearMs, () => leaks(world));
}

/** Lets time pass until nothing is found any more. Throws what is still found when the time is over. */
async function settle(world: World, timeoutMs: number, find: () => string[]): Promise<void> {
  const endMs = world.clock.monotonicMs() + timeoutMs;
  let found: string[] = [];
  for (let clean = 0; clean < looksWanted && world.clock.monotonicMs() < endMs; ) {
    await world.pass(lookMs);
    found = find();
    clean = found.length === 0 ? clean + 1 : 0;
  }
  if (found.length > 0) throw new Error(found.join('\n'));
}
