import { CommandError } from '../../errors.ts';
import { clientFor } from '../../kube/flags.ts';
import { findObjects, type SelectFlags } from '../../objects/find-objects.ts';
import { lastApplied } from '../../objects/manifests/last-applied.ts';
import { Failures } from '../../output/failures.ts';
import { sortedKeys } from '../../output/json.ts';
import { printValue } from '../../output/listing.ts';

/** Flags of `wherry apply view-last-applied`. */
export interface ViewLastAppliedFlags extends SelectFlags {
  output: 'json' | 'yaml';
}

/** Prints what client-side apply was given last of objects; of those it has not made, it says so. */
export async function viewLastApplied(words: readonly string[], flags: ViewLastAppliedFlags): Promise<void> {
  const failures = new Failures();
  let isFirst = true;
  for (const { object, name } of await findObjects(clientFor(flags), { words, flags, failures })) {
    const given = lastApplied(object);
    if (given) {
      // Documents of YAML are told apart; JSON needs nothing between.
      if (flags.output === 'yaml' && !isFirst) console.log('---');
      isFirst = false;
      printValue(sortedKeys(given), flags.output);
    } else
      failures.add(new CommandError(`no last-applied-configuration annotation found on resource: ${name}`));
  }
  failures.report();
}
