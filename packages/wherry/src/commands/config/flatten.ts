import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CommandError } from '../../errors.ts';
import type { ConfigState, Entry } from '../../kubeconfig/config-state.ts';

/** The fields that name a file, each with that which holds its content instead. */
const embeddable = [
  ['certificate-authority', 'certificate-authority-data'],
  ['client-certificate', 'client-certificate-data'],
  ['client-key', 'client-key-data'],
] as const;

/** The content of files in the place of their paths, so that the kubeconfig stands alone. Throws `CommandError` for files that are not there. */
export const flattened = (state: ConfigState): ConfigState => ({
  ...state,
  clusters: embedded(state.clusters),
  users: embedded(state.users),
});

const embedded = (entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map([...entries].map(([name, entry]) => [name, withContents(entry)]));

function withContents({ fields, file }: Entry): Entry {
  const changed = new Map(Object.entries(fields));
  for (const [pathName, dataName] of embeddable) {
    const path = changed.get(pathName);
    if (typeof path !== 'string' || path === '') continue;
    if (changed.get(dataName)) throw new CommandError('cannot have values for both path and contents');
    const whole = resolve(dirname(file), path);
    if (!existsSync(whole)) throw new CommandError(`open ${whole}: no such file or directory`);
    changed.delete(pathName);
    changed.set(dataName, readFileSync(whole, 'base64'));
  }
  return { fields: Object.fromEntries(changed), file };
}
