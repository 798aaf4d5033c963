import { parseThreshold } from './eviction-thresholds.ts';
import { type FieldType, isMap } from './field-types.ts';

/** The field `evictionHard`: amounts by signal. Undefined when it is not given, which means upstream's defaults. */
export function thresholdMap(): FieldType<Readonly<Record<string, string>> | undefined> {
  return {
    initial: undefined,
    claim: {
      warned: [
        {
          values: '',
          why: 'a threshold that is crossed sets a condition of the node; pods are not evicted yet',
        },
      ],
    },
    encode: (value) => value,
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path, `${JSON.stringify(value)} is not a map of amounts by signal`);
        return undefined;
      }
      for (const [signal, text] of Object.entries(value)) {
        const problem =
          typeof text === 'string'
            ? parseThreshold(signal, text).problem
            : `${JSON.stringify(text)} is not a string`;
        if (problem) report.error(`${path}["${signal}"]`, problem);
      }
      return value as Record<string, string>;
    },
  };
}
