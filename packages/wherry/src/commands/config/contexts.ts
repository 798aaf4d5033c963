import { CommandError } from '../../errors.ts';
import { changeConfig } from '../../kubeconfig/change-config.ts';
import type { ConfigPlace } from '../../kubeconfig/config-state.ts';
import { withFields } from '../../kubeconfig/entry-fields.ts';

/** Makes a context the current one. */
export function useContext(name: string, place: ConfigPlace): void {
  if (name === '') throw new CommandError('empty context names are not allowed');
  const said = changeConfig(place, ({ contexts }) => {
    if (!contexts.has(name))
      throw new CommandError(`no context exists with the name: ${JSON.stringify(name)}`);
    return { changes: [{ currentContext: name }], says: `Switched to context ${JSON.stringify(name)}.` };
  });
  console.log(said);
}

/** Gives a context another name; the current one stays current. */
export function renameContext(name: string, newName: string, place: ConfigPlace): void {
  if (newName === '') throw new CommandError('You must specify a new non-empty context name');
  const [from, to] = [JSON.stringify(name), JSON.stringify(newName)];
  const said = changeConfig(place, ({ contexts, currentContext, defaultFile }) => {
    const context = contexts.get(name);
    if (!context) throw new CommandError(`cannot rename the context ${from}, it's not in ${defaultFile}`);
    if (contexts.has(newName))
      throw new CommandError(
        `cannot rename the context ${from}, the context ${to} already exists in ${defaultFile}`,
      );
    const { fields, file } = context;
    return {
      changes: [
        { list: 'contexts', name: newName, fields, file },
        { list: 'contexts', gone: name },
        ...(currentContext === name ? [{ currentContext: newName }] : []),
      ],
      says: `Context ${from} renamed to ${to}.`,
    };
  });
  console.log(said);
}

/** Flags of `wherry config set-context`. */
export interface SetContextFlags extends ConfigPlace {
  current?: boolean;
  cluster?: string;
  user?: string;
  namespace?: string;
}

/** Makes a context, or changes what the flags say of one that is there. */
export function setContext(given: string | undefined, flags: SetContextFlags): void {
  const { current = false, cluster, user, namespace } = flags;
  if (!given && !current) throw new CommandError('you must specify a non-empty context name or --current');
  if (given && current) throw new CommandError('you cannot specify both a context name and --current');
  const wanted = Object.entries({ cluster, user, namespace }).filter(([, value]) => value !== undefined);
  const said = changeConfig(flags, ({ contexts, currentContext }) => {
    if (current && currentContext === '') throw new CommandError('no current context is set');
    const name = current ? currentContext : (given ?? '');
    const there = contexts.get(name);
    const fields = withFields('contexts', there?.fields ?? {}, Object.fromEntries(wanted));
    const outcome = there ? 'modified' : 'created';
    return {
      changes: [{ list: 'contexts', name, fields }],
      says: `Context ${JSON.stringify(name)} ${outcome}.`,
    };
  });
  console.log(said);
}
