import { CommandError } from '../../errors.ts';
import { refuseServerDryRunLocally } from '../changes/local-objects.ts';
import { changeObjects } from './change-objects.ts';
import type { SetFlags } from './chosen-objects.ts';
import { requirePodSpec } from './pod-spec.ts';

/** Gives pods, and what pods are made of, the service account that is the last word. */
export async function setServiceAccount(words: readonly string[], flags: SetFlags): Promise<void> {
  refuseServerDryRunLocally(flags);
  const name = words.at(-1);
  if (name === undefined) throw new CommandError('serviceaccount is required');
  await changeObjects(words.slice(0, -1), flags, () => ({
    change: (object) => {
      requirePodSpec(object).serviceAccountName = name;
      return true;
    },
    done: 'serviceaccount updated',
    refusal: 'failed to patch ServiceAccountName',
    tellsUnchanged: true,
  }));
}
