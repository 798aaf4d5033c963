import type { Container, Pod } from '@wherry/kubeapi/types';
import { sizeText } from '../sizes.ts';

/** What containers use, as metrics.k8s.io tells of a pod. */
export interface PodMetrics {
  containers?: { name: string; usage?: Readonly<Record<string, string>> }[];
}

/** `CPU 0.003, memory 12.4 MiB of 64.0 MiB` for each container that was measured. A pure function. */
export function usageTexts(metrics: PodMetrics | undefined, { spec }: Pod): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, usage } of metrics?.containers ?? []) {
    const container = [...spec.containers, ...(spec.initContainers ?? [])].find((one) => one.name === name);
    const cpu = amountText('CPU', amountOf(usage?.['cpu']), limitOf(container, 'cpu'), cpuText);
    const memory = amountText('memory', amountOf(usage?.['memory']), limitOf(container, 'memory'), sizeText);
    const text = [cpu, memory].filter(Boolean).join(', ');
    if (text) found.set(name, text);
  }
  return found;
}

const limitOf = (container: Container | undefined, name: string): number | undefined => {
  const all: Readonly<Record<string, string>> = container?.resources?.limits ?? {};
  return Object.hasOwn(all, name) ? amountOf(all[name]) : undefined;
};

function amountText(
  title: string,
  amount: number | undefined,
  most: number | undefined,
  words: (amount: number) => string,
): string {
  if (amount === undefined) return '';
  return `${title} ${words(amount)}${most === undefined ? '' : ` of ${words(most)}`}`;
}

const cpuText = (cores: number): string => `${Number(cores.toFixed(3))}`;

const factors: ReadonlyMap<string, number> = new Map([
  ...(['n', 'u', 'm', '', 'k', 'M', 'G', 'T'] as const).map(
    (unit, index) => [unit, 1000 ** (index - 3)] as const,
  ),
  ...(['Ki', 'Mi', 'Gi', 'Ti'] as const).map((unit, index) => [unit, 1024 ** (index + 1)] as const),
]);

/** A quantity as kubelets and metrics servers write them; undefined for another form. */
function amountOf(quantity = ''): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(\D*)$/.exec(quantity) ?? [];
  const factor = factors.get(unit);
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}
