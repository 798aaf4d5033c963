import type { GoPackage } from '../../kubeapi/scripts/go-types.ts';

/**
 * `name type` of each field of a message and of those below it, a star before the type of a pointer, parted by `;`, by message;
 * `others` are packages by the name that the message's own imports them by.
 */
export function messagesOf(
  message: string,
  home: GoPackage,
  others: Readonly<Record<string, GoPackage>>,
): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (name: string, home: GoPackage) => {
    const struct = home.structs.get(name);
    if (!struct || Object.hasOwn(found, name)) return;
    found[name] = '';
    const fields = struct.fields.filter(({ tags }) => tags.has('json'));
    found[name] = fields
      .flatMap((field) => {
        const json = field.tags.get('json')?.split(',')[0];
        if (json) return [`${json} ${field.goType}`];
        const embedded = field.goType.split('.').at(-1) ?? '';
        return embedded === 'TypeMeta' ? ['apiVersion string', 'kind string'] : inlined(embedded, home);
      })
      .join(';');
    for (const { goType } of fields) {
      const bare = goType.replace(/^[*[\]]+/, '');
      const [, other = '', inner = ''] = /^(\w+)\.(\w+)$/.exec(bare) ?? [];
      const elsewhere = new Map(Object.entries(others)).get(other);
      if (elsewhere) visit(inner, elsewhere);
      else visit(bare, home);
    }
  };
  const inlined = (name: string, home: GoPackage) =>
    (home.structs.get(name)?.fields ?? []).map(
      ({ tags, goType }) => `${tags.get('json')?.split(',')[0]} ${goType}`,
    );
  visit(message, home);
  return found;
}
