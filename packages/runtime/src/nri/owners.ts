import { RuntimeError } from '../errors.ts';
import { Field, type FieldOwners, type OwningPlugins } from '../generated/nri.ts';

const names = new Map<number, string>(Object.entries(Field).map(([name, number]) => [number, name]));

/** Which plug-in set what of which container: no two may set the same. */
export class Owners {
  readonly #fields = new Map<string, Map<number, Map<string, string>>>();

  /** Throws `RuntimeError` FAILED_PRECONDITION, with both plug-ins' names, for what another has set. `key` is '' for a field with one value. */
  claim(id: string, plugIn: string, field: number, key = ''): void {
    const owners = this.#ownersOf(id, field);
    const owner = owners.get(key);
    if (owner !== undefined) {
      const what = `${names.get(field)}${key === '' ? '' : ` "${key}"`} of container ${id}`;
      throw new RuntimeError(
        'FAILED_PRECONDITION',
        `NRI plug-ins "${owner}" and "${plugIn}" both tried to set ${what}`,
      );
    }
    owners.set(key, plugIn);
  }

  /** Hooks are added, never replaced: they belong to all who gave some. */
  share(id: string, plugIn: string, field: number): void {
    const owners = this.#ownersOf(id, field);
    const before = owners.get('');
    owners.set('', before === undefined ? plugIn : `${before},${plugIn}`);
  }

  /** Takes away what an earlier plug-in set: a later one asked for it. */
  clear(id: string, field: number, key = ''): void {
    this.#fields.get(id)?.get(field)?.delete(key);
  }

  #ownersOf(id: string, field: number): Map<string, string> {
    const fields = this.#fields.get(id) ?? new Map<number, Map<string, string>>();
    this.#fields.set(id, fields);
    const owners = fields.get(field) ?? new Map<string, string>();
    fields.set(field, owners);
    return owners;
  }

  /** As validators are told. */
  toMessage(): OwningPlugins {
    const owners = [...this.#fields].map(([id, fields]): [string, FieldOwners] => {
      const simple: Record<string, string> = {};
      const compound: FieldOwners['compound'] = {};
      for (const [field, byKey] of fields) {
        const single = byKey.get('');
        if (single !== undefined) simple[field] = single;
        else if (byKey.size > 0) compound[field] = { owners: Object.fromEntries(byKey) };
      }
      return [id, { simple, compound }];
    });
    return { owners: Object.fromEntries(owners) };
  }
}
