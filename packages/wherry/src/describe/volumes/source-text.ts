import { shownJson } from '@wherry/bytes';
import { field, type Lines } from '../text/lines.ts';
import { list } from '../text/values.ts';

/** A source of volumes that is told field by field: what it is, and which field each label shows. */
export interface PlainSource {
  type: string;
  /** Label → field of the source. */
  labels: Readonly<Record<string, string>>;
}

/** What labels show where the field is not there; all others show nothing. */
const defaults = new Map([
  ['ReadOnly', 'false'],
  ['Optional', 'false'],
  ['Partition', '0'],
  ['Lun', '0'],
  ['DiscoveryCHAPAuth', 'false'],
  ['SessionCHAPAuth', 'false'],
  ['InitiatorName', '<none>'],
  ['HostPathType', '<none>'],
  ['EndpointsNamespace', '<unset>'],
  ['Portals', '[]'],
  ['Options', 'map[]'],
  ['SecretRef', 'nil'],
]);

/** What stands in front of a value where that is not the label and a colon. */
const ends = new Map([
  ['ISCSIInterface', 'ISCSIInterface'],
  ['Kind', 'Kind: '],
]);

/** The lines of a source; references to secrets in persistent volumes name a namespace, too. */
export function sourceLines(
  { type, labels }: PlainSource,
  source: object,
  { isPersistent = false } = {},
): Lines {
  const fields = new Map<string, unknown>(Object.entries(source));
  const lines = Object.entries(labels).map(([label, name]) => {
    const value = fields.get(name) ?? undefined;
    const shown = value === undefined ? (defaults.get(label) ?? '') : valueText(value, isPersistent);
    return `${ends.get(label) ?? `${label}:`}\t${shown}`;
  });
  return [field('Type', type), ...lines];
}

/** A value as Go prints it; of references to secrets as Kubernetes' types do. */
function valueText(value: unknown, isPersistent: boolean): string {
  if (Array.isArray(value)) return list(value);
  if (typeof value !== 'object' || value === null) return shownJson(value);
  const { name = '', namespace = '' } = value as { name?: string; namespace?: string };
  return isPersistent
    ? `&SecretReference{Name:${name},Namespace:${namespace},}`
    : `&LocalObjectReference{Name:${name},}`;
}
