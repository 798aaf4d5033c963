import type { KubeObject } from '@wherry/client';
import type { Container } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { parseAmounts } from '../../kube/amounts.ts';
import type { Failures } from '../../output/failures.ts';
import { refuseServerDryRunLocally } from '../changes/local-objects.ts';
import { changeObjects } from './change-objects.ts';
import { refuseWordsLocally, type SetFlags } from './chosen-objects.ts';
import { containersNamed, requirePodSpec } from './pod-spec.ts';

/** Flags of `wherry set resources`. */
export interface SetResourcesFlags extends SetFlags {
  /** `cpu=100m,memory=256Mi`. */
  limits?: string;
  requests?: string;
  /** Which containers, `*` for anything. */
  containers: string;
}

type Side = 'limits' | 'requests';

/** Gives containers other limits and requests; amounts of other resources stay. */
export async function setResources(words: readonly string[], flags: SetResourcesFlags): Promise<void> {
  refuseWordsLocally(words, flags);
  await changeObjects(words, flags, () => {
    refuseServerDryRunLocally(flags);
    const amounts = amountsOf(flags);
    return {
      change: (object, failures) => giveAmounts(object, { amounts, pattern: flags.containers, failures }),
      done: 'resource requirements updated',
      refusal: 'failed to patch resources update to pod template',
    };
  });
}

type Amounts = ReadonlyMap<Side, ReadonlyMap<string, string>>;

function amountsOf({ limits = '', requests = '' }: SetResourcesFlags): Amounts {
  const given = (
    [
      ['limits', limits],
      ['requests', requests],
    ] as const
  ).filter(([, text]) => text !== '');
  if (given.length === 0) {
    throw new CommandError(
      'you must specify an update to requests or limits (in the form of --requests/--limits)',
    );
  }
  return new Map(given.map(([side, text]) => [side, parseAmounts(text)]));
}

interface Given {
  amounts: Amounts;
  pattern: string;
  failures: Failures;
}

function giveAmounts(object: KubeObject, { amounts, pattern, failures }: Given): boolean {
  const named = containersNamed(requirePodSpec(object), pattern);
  for (const container of named) for (const [side, of] of amounts) giveSide(container, side, of);
  if (named.length > 0) return true;
  failures.add(new CommandError(`error: unable to find container named ${pattern}`));
  return false;
}

function giveSide(container: Container, side: Side, amounts: ReadonlyMap<string, string>): void {
  const present = container.resources ?? {};
  container.resources = { ...present, [side]: { ...present[side], ...Object.fromEntries(amounts) } };
}
