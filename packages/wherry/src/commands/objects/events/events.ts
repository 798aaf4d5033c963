import { type KubeClient, kinds } from '@wherry/client';
import type { Event } from '@wherry/kubeapi';
import { CommandError } from '../../../errors.ts';
import { clientFor, type KubeFlags } from '../../../kube/flags.ts';
import { listedNamespace } from '../../../kube/scope.ts';
import { Catalog, withType } from '../../../objects/catalog.ts';
import { printedObject } from '../../../objects/printed-object.ts';
import { parseTargets } from '../../../objects/targets.ts';
import { withinRequestTimeout } from '../../../objects/watching/within-request-timeout.ts';
import { print, printValue } from '../../../output/listing.ts';
import { isValueFormat, type OutputFormat } from '../../../output/output-format.ts';
import { formatTable } from '../../../output/table.ts';
import { columnsOf, toneIn } from './columns.ts';
import { findEvents } from './find-events.ts';
import { followEvents } from './follow-events.ts';

/** Flags of `wherry events`. */
export interface EventsFlags extends KubeFlags {
  allNamespaces?: boolean;
  /** `TYPE/NAME`. */
  for?: string;
  types?: string[];
  watch?: boolean;
  /** False for `--no-headers`. */
  headers: boolean;
  showManagedFields?: boolean;
  chunkSize: number;
  output?: OutputFormat;
}

/** Prints events, the oldest first; with `watch` goes on with those that come. */
export async function events(flags: EventsFlags): Promise<void> {
  const types = flags.types?.map((type) => type.toLowerCase());
  if (types?.some((type) => type !== 'normal' && type !== 'warning')) {
    throw new CommandError('valid --types are Normal or Warning');
  }
  const { output, watch, chunkSize, headers: hasHeader } = flags;
  const isMeant = ({ type = '' }: Event) => !types || types.includes(type.toLowerCase());
  const client = clientFor(flags);
  const namespace = listedNamespace(client, flags);
  const fieldSelector = flags.for === undefined ? undefined : await selectorFor(client, flags.for);
  const listed = await findEvents(client, { namespace, fieldSelector, chunkSize });
  const columns = columnsOf({ withNamespace: flags.allNamespaces === true, isWide: output === 'wide' });
  const shown = (event: Event) => printedObject(withType(kinds.events, event), { ...flags, isTyped: true });
  if (watch)
    return withinRequestTimeout(flags, (signal) =>
      followEvents(client, {
        ...{ listed, isMeant, columns, namespace, fieldSelector, output, hasHeader, shown, signal },
      }),
    );
  const items = listed.filter(isMeant);
  if (items.length === 0) {
    console.error(
      namespace === undefined ? 'No events found.' : `No events found in ${namespace} namespace.`,
    );
  } else if (isValueFormat(output)) {
    printValue({ kind: 'EventList', apiVersion: 'v1', metadata: {}, items: items.map(shown) }, output);
  } else if (output === 'name') {
    print(items.map(({ metadata }) => `event/${metadata.name}`).join('\n'));
  } else {
    const rows = items.map((event) => columns.map(({ cell }) => cell(event)));
    const header = columns.map(({ title }) => title);
    print(formatTable(header, rows, { hasHeader, toneOf: toneIn(columns) }));
  }
}

async function selectorFor(client: KubeClient, text: string): Promise<string> {
  const [target] = parseTargets([text.includes('/') ? text : `pod/${text}`], await Catalog.of(client));
  return `involvedObject.kind=${target?.resource.kind},involvedObject.name=${target?.names[0]}`;
}
