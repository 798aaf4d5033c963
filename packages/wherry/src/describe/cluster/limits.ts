import { type LimitRange, type LimitRangeItem, ownValue, type ResourceQuota } from '@wherry/kubeapi';
import { parseQuantity, Quantity } from '@wherry/kubeapi/objects';
import { headLines } from '../text/labels.ts';
import { columns, field, indented, type Lines } from '../text/lines.ts';
import { amount, sortedBy, sortedEntries } from '../text/values.ts';

const rangeTitles = [
  ...['Type', 'Resource', 'Min', 'Max'],
  ...['Default Request', 'Default Limit', 'Max Limit/Request Ratio'],
];

/** A limit range: a line for each resource. */
export const describeLimitRange = ({ metadata, spec }: LimitRange): Lines => [
  ...headLines(metadata),
  ...columns(rangeTitles, (spec?.limits ?? []).flatMap(limitRows)),
];

/** All limit ranges of a namespace in one table. */
export function limitRangeLines(ranges: readonly LimitRange[]): Lines {
  if (ranges.length === 0) return ['No LimitRange resource.'];
  const rows = ranges.flatMap(({ spec }) => (spec?.limits ?? []).flatMap(limitRows));
  return ['Resource Limits', ...columns(rangeTitles, rows).map((line) => ` ${line}`)];
}

function limitRows(item: LimitRangeItem): string[][] {
  const bounds = [item.min, item.max, item.defaultRequest, item.default, item.maxLimitRequestRatio];
  const names = new Set(bounds.flatMap((bound) => Object.keys(bound ?? {})));
  return sortedBy([...names], (name) => name).map((name) => [
    ...[item.type, name],
    ...bounds.map((bound) => {
      const text = ownValue(bound, name);
      return text === undefined ? '-' : amount(text);
    }),
  ]);
}

const scopeHelp = new Map([
  [
    'Terminating',
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  ],
  [
    'NotTerminating',
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  ],
  [
    'BestEffort',
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  ],
  [
    'NotBestEffort',
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
  ],
]);

function scopeLines({ spec }: ResourceQuota, margin: string): Lines {
  const scopes = sortedBy(spec?.scopes, (scope) => scope);
  if (scopes.length === 0) return [];
  const help = scopes.flatMap((scope) => scopeHelp.get(scope) ?? []);
  return [field('Scopes', scopes.join(', ')), ...help.map((text) => `${margin}* ${text}`)];
}

/** A quota: what may be used, and what is. */
export function describeQuota(quota: ResourceQuota): Lines {
  const rows = sortedEntries(quota.status?.hard).map(([name, hard]) => {
    const used = ownValue(quota.status?.used, name) ?? '0';
    return [name, inFormOf(used, hard), amount(hard)];
  });
  return [
    ...headLines(quota.metadata),
    ...scopeLines(quota, ' '),
    ...columns(['Resource', 'Used', 'Hard'], rows),
  ];
}

/** What is used in the form of what may be used. */
function inFormOf(used: string, hard: string): string {
  const [amountUsed, { format }] = [parseQuantity(used), parseQuantity(hard)];
  if (amountUsed.format === format) return amountUsed.toString();
  return new Quantity(amountUsed.value() * 1_000_000_000n, format).toString();
}

/** All quotas of a namespace. */
export function quotaLines(quotas: readonly ResourceQuota[]): Lines {
  if (quotas.length === 0) return ['No resource quota.'];
  const each = sortedBy(quotas, ({ metadata }) => metadata.name ?? '').flatMap((quota) => {
    const { hard, used } = quota.status ?? {};
    const rows = sortedEntries(hard).map(([name, most]) => [
      ...[name, amount(ownValue(used, name)), amount(most)],
    ]);
    return [
      field('Name', quota.metadata.name),
      ...scopeLines(quota, ''),
      ...columns(['Resource', ['Used', 3], ['Hard', 3]], rows),
    ];
  });
  return ['Resource Quotas', ...indented(each)];
}
