import { parseDuration } from './duration.ts';
import { isEvictionSignal, parseReclaim, parseThreshold } from './eviction-thresholds.ts';
import { type FieldType, isMap } from './field-types.ts';

type TextMap = Readonly<Record<string, string>>;

/** Amounts or shares by eviction signal, such as `evictionHard`; `initial` stands for none given. */
export function thresholdMap<Initial extends TextMap | undefined>(
  initial: Initial,
): FieldType<TextMap | Initial> {
  return signalMap(initial, 'amounts', (signal, text) => parseThreshold(signal, text).problem);
}

/** Durations by eviction signal, such as `evictionSoftGracePeriod`; 0 makes its soft threshold a hard one. */
export function graceMap(): FieldType<TextMap> {
  return signalMap<TextMap>({}, 'durations', (signal, text) => {
    if (!isEvictionSignal(signal)) return `unsupported eviction signal ${signal}`;
    const graceMs = parseDuration(text);
    if (graceMs === undefined) return `"${text}" is not a duration such as "1m30s"`;
    return graceMs >= 0 ? undefined : `grace period ${text} must not be negative`;
  });
}

/** What is taken away beyond the threshold, by eviction signal. */
export function reclaimMap(): FieldType<TextMap> {
  return signalMap<TextMap>({}, 'amounts', (signal, text) => parseReclaim(signal, text).problem);
}

function signalMap<Initial extends TextMap | undefined>(
  initial: Initial,
  of: string,
  problemOf: (signal: string, text: string) => string | undefined,
): FieldType<TextMap | Initial> {
  return {
    initial,
    claim: {},
    encode: (value) => value,
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path, `${JSON.stringify(value)} is not a map of ${of} by signal`);
        return initial;
      }
      for (const [signal, text] of Object.entries(value)) {
        const problem =
          typeof text === 'string' ? problemOf(signal, text) : `${JSON.stringify(text)} is not a string`;
        if (problem) report.error(`${path}["${signal}"]`, problem);
      }
      return value as TextMap;
    },
  };
}
