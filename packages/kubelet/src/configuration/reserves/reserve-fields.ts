import { amountOf } from '../../pod/amount.ts';
import { type FieldType, isMap, texts } from '../field-types.ts';

/** What can be kept back for the system and for Kubernetes. */
const reservable: readonly string[] = ['cpu', 'memory', 'ephemeral-storage', 'pid'];

const levels: readonly string[] = [
  'pods',
  'system-reserved',
  'system-reserved-compressible',
  'kube-reserved',
  'kube-reserved-compressible',
  'none',
];

type TextMap = Readonly<Record<string, string>>;

/** The fields `kubeReserved` and `systemReserved`: amounts by what is kept back. */
export const reserveMap = (): FieldType<TextMap> =>
  checkedMap('amounts', (name, text) =>
    reservable.includes(name)
      ? amountProblem(text)
      : `can not be reserved: only ${reservable.join(', ')} can`,
  );

/** The field `qosReserved`: a share of memory in percents. */
export const classReserveMap = (): FieldType<TextMap> =>
  checkedMap('shares', (name, text) => {
    if (name !== 'memory') return 'can not be reserved: only memory can';
    return /^(\d\d?|100)%$/.test(text) ? undefined : `is "${text}", which is no share from 0% to 100%`;
  });

/** The field `enforceNodeAllocatable`: who is held to what the node has to give. */
export function enforcedLevels(): FieldType<readonly string[]> {
  const list = texts(['pods']);
  return {
    ...list,
    decode(value, path, report) {
      const decoded = list.decode(value, path, report);
      for (const level of decoded.filter((level) => !levels.includes(level)))
        report.error(path, `"${level}" is not one of ${levels.join(', ')}`);
      return decoded;
    },
  };
}

/** The fields `kubeReservedCgroup` and `systemReservedCgroup`: the path of a group, with or without the first `/`. */
export function reservedGroup(): FieldType<string> {
  return {
    initial: '',
    isText: true,
    claim: {},
    encode: (value) => value,
    decode(value, path, report) {
      if (typeof value === 'string' && (value === '' || isGroup(value))) return value;
      report.error(
        path,
        `${JSON.stringify(value)} is not the path of a control group, such as "/kube.slice"`,
      );
      return '';
    },
  };
}

const isGroup = (value: string) =>
  /^\/?[^/\0]+(\/[^/\0]+)*\/?$/.test(value) && !/(^|\/)\.\.?(\/|$)/.test(value);

function checkedMap(
  of: string,
  problemOf: (name: string, text: string) => string | undefined,
): FieldType<TextMap> {
  return {
    initial: {},
    claim: {},
    encode: (value) => value,
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path, `${JSON.stringify(value)} is not a map of ${of}`);
        return {};
      }
      for (const [name, text] of Object.entries(value)) {
        const problem =
          typeof text === 'string' ? problemOf(name, text) : `is ${JSON.stringify(text)}, which is no string`;
        if (problem) report.error(`${path}.${name}`, problem);
      }
      return value as TextMap;
    },
  };
}

function amountProblem(text: string): string | undefined {
  try {
    return amountOf(text) < 0 ? `is ${text}: it may not be negative` : undefined;
  } catch {
    return `is "${text}", which is no quantity`;
  }
}
