import { configurationFlags } from '../../generated/upstream.ts';
import { configurationFields } from '../configuration.ts';
import type { FieldType } from '../field-types.ts';

/** Go's names of fields that are not the JSON name in other letters. */
const otherNames: ReadonlyMap<string, string> = new Map([['resolverconfig', 'resolvConf']]);

/**
 * The field of the configuration that a flag of upstream's kubelet sets, such as `authentication.webhook.cacheTTL`;
 * undefined for flags that the configuration has no field for.
 */
export function fieldOfFlag(flag: string): string | undefined {
  const [, goPath] = /^c\.([\w.]+) /.exec(new Map(Object.entries(configurationFlags)).get(flag) ?? '') ?? [];
  if (goPath === undefined) return undefined;
  const path: string[] = [];
  let type: FieldType<unknown> | undefined = configurationFields;
  for (const goName of goPath.replace(/\.Duration$/, '').split('.')) {
    const wanted = otherNames.get(goName.toLowerCase()) ?? goName;
    const [name, field]: [string?, FieldType<unknown>?] =
      Object.entries(type?.fields ?? {}).find(([known]) => known.toLowerCase() === wanted.toLowerCase()) ??
      [];
    if (name === undefined) return undefined;
    path.push(name);
    type = field;
  }
  return path.join('.');
}
