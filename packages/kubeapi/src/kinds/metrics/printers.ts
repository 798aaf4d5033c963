import type { ContainerMetrics, NodeMetrics, PodMetrics } from '../../generated/types.ts';
import { ownValue } from '../../json/json-value.ts';
import { column, nameColumn, type Printer } from '../../table/printer.ts';
import { parseQuantity, type Quantity } from '../../values/quantity.ts';

const columns = [nameColumn, column('cpu'), column('memory'), column('Window')];

/** Nodes with what they take. */
export const nodePrinter: Printer<NodeMetrics> = {
  columns,
  cells: ({ metadata, usage, window }) => [
    metadata.name ?? '',
    ...['cpu', 'memory'].map((resource) => ownValue(usage, resource) ?? ''),
    window,
  ],
};

/** Pods with what their containers take together. */
export const podPrinter: Printer<PodMetrics> = {
  columns,
  cells: ({ metadata, containers, window }) => [
    metadata.name ?? '',
    ...['cpu', 'memory'].map((resource) => sumOf(containers, resource)),
    window,
  ],
};

function sumOf(containers: readonly ContainerMetrics[], resource: string): string {
  const amounts = containers.map(({ usage }) => parseQuantity(ownValue(usage, resource) ?? '0'));
  return String(amounts.reduce((sum: Quantity, amount) => sum.add(amount), parseQuantity('0')));
}
