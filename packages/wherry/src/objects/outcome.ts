import type { DiscoveredResource, KubeObject } from '@wherry/client';
import { printValue } from '../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../output/output-format.ts';
import { typeName } from './catalog.ts';
import type { RecordFlags } from './change-cause.ts';
import { type PrintedForm, printedObject } from './printed-object.ts';

/** Where what is asked for is done: nowhere but here, or at the server all but the storing. */
export type DryRun = 'none' | 'client' | 'server';

/** Flags about how what became of objects is told. */
export interface OutcomeFlags extends RecordFlags {
  output?: OutputFormat;
  dryRun?: DryRun;
  /** With -o: who manages which field too. */
  showManagedFields?: boolean;
}

/** What became of one object. */
export interface Outcome {
  resource: DiscoveredResource;
  object: KubeObject;
  /** `created`, `patched`. */
  done: string;
}

/** What is put behind what became of an object. */
export const dryRunWords: ReadonlyMap<DryRun | undefined, string> = new Map([
  ['client', ' (dry run)'],
  ['server', ' (server dry run)'],
]);

/** Prints what became of objects, one after the other: a line each, or the object in the form asked for. */
export function outcomePrinter(
  { output, dryRun, showManagedFields }: OutcomeFlags,
  { isTyped }: Pick<PrintedForm, 'isTyped'> = {},
): (one: Outcome) => void {
  let isFirst = true;
  return ({ resource, object, done }) => {
    const name = `${typeName(resource)}/${object.metadata?.name ?? '<unknown>'}`;
    // Documents of YAML are told apart; JSON needs nothing between.
    if (output === 'yaml' && !isFirst) console.log('---');
    isFirst = false;
    if (isValueFormat(output))
      printValue(printedObject(object, { output, showManagedFields, isTyped }), output);
    else if (output === 'name') console.log(name);
    else console.log(`${name} ${done}${dryRunWords.get(dryRun) ?? ''}`);
  };
}
