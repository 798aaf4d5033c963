import { CommandError } from '../../errors.ts';
import { type ConfigPlace, type ConfigState, readConfig } from '../../kubeconfig/config-state.ts';
import { Failures } from '../../output/failures.ts';
import { print } from '../../output/listing.ts';
import { formatTable } from '../../output/table.ts';

/** Flags of `wherry config get-contexts`. */
export interface GetContextsFlags extends ConfigPlace {
  output?: string;
  /** Commander's `--no-headers`. */
  headers?: boolean;
}

/** Prints the contexts, or those of the names alone; a name that is none is said, and the others are printed. */
export function getContexts(names: readonly string[], flags: GetContextsFlags): void {
  const { output = '', headers = true } = flags;
  if (output !== '' && output !== 'name')
    throw new CommandError(
      `--output ${output} is not available in wherry config get-contexts; resetting to default output format`,
    );
  const state = readConfig(flags);
  const failures = new Failures();
  for (const name of names)
    if (!state.contexts.has(name)) failures.add(new CommandError(`context ${name} not found`));
  const wanted =
    names.length === 0 ? [...state.contexts.keys()] : names.filter((name) => state.contexts.has(name));
  const found = wanted.toSorted();
  if (output === 'name') print(found.join('\n'));
  else printContexts(found, state, headers);
  failures.report();
}

const columns = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'];

function printContexts(names: readonly string[], state: ConfigState, hasHeader: boolean): void {
  const rows = names.map((name) => {
    const { cluster, user, namespace } = state.contexts.get(name)?.fields ?? {};
    const mark = name === state.currentContext ? '*' : ' ';
    return [mark, name, ...[cluster, user, namespace].map((text) => (typeof text === 'string' ? text : ''))];
  });
  print(formatTable(columns, rows, { hasHeader }));
}

/** Prints the name of the current context. */
export function currentContext(place: ConfigPlace): void {
  const { currentContext: name } = readConfig(place);
  if (name === '') throw new CommandError('current-context is not set');
  console.log(name);
}

/** Prints the names of the clusters, or of the users. */
export function getNames(list: 'clusters' | 'users', place: ConfigPlace): void {
  console.log(['NAME', ...[...readConfig(place)[list].keys()].toSorted()].join('\n'));
}
