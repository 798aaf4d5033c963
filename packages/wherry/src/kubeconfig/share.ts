import { CommandError } from '../errors.ts';
import type { Steps } from '../output/steps.ts';
import { giveKubeconfig, takeKubeconfig } from './as-user.ts';

/** Where sudo was used, the user who called it gets a context, and its path comes back; a node is up without that too. */
export function shareKubeconfig(kubeconfig: string, steps: Steps): string | undefined {
  return orSay(steps, () => giveKubeconfig(kubeconfig));
}

/** Takes the context of that name from the user who called sudo; a node ends, whatever becomes of that. */
export function forgetKubeconfig(name: string, steps: Steps): void {
  orSay(steps, () => takeKubeconfig(name));
}

function orSay<T>(steps: Steps, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    steps.say(`\n${error.message}`);
    return undefined;
  }
}
