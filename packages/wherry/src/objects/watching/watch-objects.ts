import type { DiscoveredResource, KubeClient, KubeObject } from '@wherry/client';
import type { Clock } from '@wherry/clock';
import { exactJson } from '@wherry/kubeapi';
import { formatValue, print, printValue } from '../../output/listing.ts';
import type { ValueFormat } from '../../output/output-format.ts';
import { typeName, withType } from '../catalog.ts';
import { printedObject } from '../printed-object.ts';
import { objectAccept } from '../server-table.ts';
import { followList, type Versioned } from './follow-list.ts';
import type { WatchStyle } from './watch-table.ts';

/** What is watched, and in which form it is told. */
export interface WatchedObjects extends WatchStyle {
  resource: DiscoveredResource;
  /** The path of list and watch with these parameters added. */
  path(query: object): string;
  format: ValueFormat | 'name';
  showManagedFields?: boolean | undefined;
  /** Default: the system's. */
  clock?: Clock | undefined;
}

interface List extends Versioned {
  items?: KubeObject[] | null;
}

/** Prints objects one by one, and each that changes, as {@link followList} goes. */
export async function watchObjects(
  client: Pick<KubeClient, 'request' | 'stream'>,
  { resource, path, format, showManagedFields, isOnlyChanges, withEvents, signal, clock }: WatchedObjects,
): Promise<void> {
  const printOne = objectPrinter(format, resource);
  const tell = (type: string, change: KubeObject) => {
    const object = printedObject(change, { output: format, showManagedFields });
    printOne(object, withEvents ? type : undefined);
  };
  let isBeginning = true;
  await followList<List, KubeObject>(client, {
    ...{ path, signal, clock },
    accept: objectAccept,
    onList({ items }) {
      const objects = (items ?? []).map((item) => withType(resource, item));
      if (!isBeginning || !isOnlyChanges) for (const object of objects) tell('ADDED', object);
      isBeginning = false;
    },
    onChange: tell,
  });
}

/** What prints one object after the other; with the type of a change as an event of a watch. */
export function objectPrinter(
  format: ValueFormat | 'name',
  resource: Pick<DiscoveredResource, 'kind' | 'group'>,
): (object: KubeObject, type: string | undefined) => void {
  let isFirst = true;
  return (object, type) => {
    const value = type === undefined ? object : { type, object };
    if (format === 'name') print(`${typeName(resource)}/${object.metadata?.name}`);
    // An event is a line, as the server sends it.
    else if (format === 'json' && type !== undefined) print(exactJson(value));
    else if (typeof format === 'string' && format.startsWith('custom-columns=')) {
      const [header = '', ...rows] = formatValue(value, format).split('\n');
      print([...(isFirst ? [header] : []), ...rows].join('\n'));
    } else {
      if (format === 'yaml' && !isFirst) print('---');
      printValue(value, format);
    }
    isFirst = false;
  };
}
