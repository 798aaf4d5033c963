import { amountOf } from '../../pod/amount.ts';
import { type FieldType, isMap } from '../field-types.ts';

/** What is kept back of one memory node, as it stands in the file. */
export interface MemoryReservation {
  numaNode: number;
  limits: Readonly<Record<string, string>>;
}

/** The field `reservedMemory`: of each memory node, amounts of memory and huge pages above 0, each named once. */
export function memoryReservations(): FieldType<readonly MemoryReservation[]> {
  return {
    initial: [],
    claim: {},
    encode: (value) => value,
    decode(value, path, report) {
      if (!Array.isArray(value) || !value.every(isReservation)) {
        report.error(path, `${JSON.stringify(value)} is not a list of numaNode and limits`);
        return [];
      }
      const seen = new Set<string>();
      for (const { numaNode, limits } of value)
        for (const [type, text] of Object.entries(limits)) {
          const key = `${numaNode} ${type}`;
          const problem = seen.has(key) ? 'is named twice' : problemOf(type, text);
          if (problem) report.error(path, `${type} of memory node ${numaNode} ${problem}`);
          seen.add(key);
        }
      return value;
    },
  };
}

function isReservation(value: unknown): value is MemoryReservation {
  return (
    isMap(value) &&
    Number.isSafeInteger(value['numaNode']) &&
    isMap(value['limits']) &&
    Object.values(value['limits']).every((text) => typeof text === 'string')
  );
}

function problemOf(type: string, text: string): string | undefined {
  if (type !== 'memory' && !type.startsWith('hugepages-'))
    return 'can not be reserved: only memory and hugepages-<size> can';
  try {
    return amountOf(text) > 0 ? undefined : `may not be ${text}`;
  } catch {
    return `is ${JSON.stringify(text)}, which is no quantity`;
  }
}
