import { CommandError } from '../../errors.ts';
import type { ConfigState, Entry } from '../../kubeconfig/config-state.ts';

/** What one context needs, the current one or that of the name. Throws `CommandError` for what it names and is not there. */
export function minified(state: ConfigState, context?: string): ConfigState {
  const currentContext = context ? context : state.currentContext;
  if (currentContext === '') throw new CommandError('current-context must exist in order to minify');
  const chosen = state.contexts.get(currentContext);
  if (!chosen) throw new CommandError(`cannot locate context ${currentContext}`);
  const { cluster, user } = chosen.fields;
  return {
    ...state,
    currentContext,
    contexts: new Map([[currentContext, chosen]]),
    clusters: only(state.clusters, 'cluster', cluster),
    users: only(state.users, 'user', user),
  };
}

function only(entries: ReadonlyMap<string, Entry>, what: string, name: unknown): ReadonlyMap<string, Entry> {
  if (typeof name !== 'string' || name === '') return new Map();
  const entry = entries.get(name);
  if (!entry) throw new CommandError(`cannot locate ${what} ${name}`);
  return new Map([[name, entry]]);
}
