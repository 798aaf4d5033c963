import type { KubeObject } from '@wherry/client';
import type { OutputFormat } from '../output/output-format.ts';

/** An object as it is shown unless somebody asks who manages which field. */
export function withoutManagers<T extends KubeObject>(object: T): T {
  const metadata = { ...object.metadata, managedFields: undefined };
  return { ...object, metadata };
}

/** An object as it is printed: in JSON and YAML without managers unless they are asked for, to templates and columns whole. */
export function printedObject<T extends KubeObject>(
  object: T,
  {
    output,
    showManagedFields,
  }: { output?: OutputFormat | undefined; showManagedFields?: boolean | undefined },
): T {
  const isWhole = output !== undefined && output !== 'json' && output !== 'yaml' && output !== 'kyaml';
  return isWhole || showManagedFields ? object : withoutManagers(object);
}
