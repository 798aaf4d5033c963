import { double, enumeration, message, text, uint64 } from './protobuf-fields.ts';
import { type FamilyType, readFamilies, type Sample, type TextFamily } from './text-families.ts';

const typeNumbers: Record<FamilyType, number> = { counter: 0, gauge: 1, histogram: 4 };

/** A page in the text format as messages `io.prometheus.client.MetricFamily`, each behind its length (client_model, metrics.proto). */
export function delimitedFamilies(page: string): Uint8Array {
  return Buffer.concat(readFamilies(page).map((family) => message(undefined, familyOf(family))));
}

function familyOf(family: TextFamily): Buffer[] {
  const metrics =
    family.type === 'histogram' ? histogramsOf(family) : family.samples.map(plainOf(family.type));
  return [
    text(1, family.name),
    text(2, family.help),
    enumeration(3, typeNumbers[family.type]),
    ...metrics.map((metric) => message(4, metric)),
  ];
}

const labelsOf = (labels: Sample['labels']) =>
  labels.map(([name, value]) => message(1, [text(1, name), text(2, value)]));

const stampOf = (atMs: number | undefined) => (atMs === undefined ? [] : [uint64(6, atMs)]);

const plainOf =
  (type: FamilyType) =>
  ({ labels, value, atMs }: Sample): Buffer[] => [
    ...labelsOf(labels),
    message(type === 'gauge' ? 2 : 3, [double(1, value)]),
    ...stampOf(atMs),
  ];

interface HistogramSeries {
  labels: Sample['labels'];
  count: number;
  sum: number;
  buckets: Buffer[];
}

/** The bucket of everything goes without saying. */
function histogramsOf({ name, samples }: TextFamily): Buffer[][] {
  const byLabels = new Map<string, HistogramSeries>();
  for (const { name: told, labels: all, value } of samples) {
    const labels = all.filter(([label]) => label !== 'le');
    const key = JSON.stringify(labels);
    const series = byLabels.get(key) ?? { labels, count: 0, sum: 0, buckets: [] };
    byLabels.set(key, series);
    const bound = all.find(([label]) => label === 'le')?.[1] ?? '';
    if (told === `${name}_count`) series.count = value;
    else if (told === `${name}_sum`) series.sum = value;
    else if (bound !== '+Inf') series.buckets.push(message(3, [uint64(1, value), double(2, Number(bound))]));
  }
  return [...byLabels.values()].map(({ labels, count, sum, buckets }) => [
    ...labelsOf(labels),
    message(7, [uint64(1, count), double(2, sum), ...buckets]),
  ]);
}
