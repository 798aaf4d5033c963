import { CommandError } from '../../errors.ts';
import { changeConfig } from '../../kubeconfig/change-config.ts';
import { type ConfigPlace, readConfig } from '../../kubeconfig/config-state.ts';
import { type List, listFields } from '../../kubeconfig/lists.ts';

/** Takes a cluster, a user or a context out of the kubeconfig. */
export function deleteEntry(list: List, name: string, place: ConfigPlace): void {
  const what = `${listFields[list]} ${name}`;
  const { currentContext, contexts } = readConfig(place);
  if (list === 'contexts' && contexts.has(name) && currentContext === name)
    console.error(
      'warning: this removed your active context, use "wherry config use-context" to select a different one',
    );
  const said = changeConfig(place, ({ [list]: entries, defaultFile }) => {
    if (!entries.has(name)) throw new CommandError(`cannot delete ${what}, not in ${defaultFile}`);
    return { changes: [{ list, gone: name }], says: `deleted ${what} from ${defaultFile}` };
  });
  console.log(said);
}
