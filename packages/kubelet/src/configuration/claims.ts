/** What is made of a field of the configuration: the claims of docs/fields, and the refusals and warnings behind them. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldClaim, FieldReport, FieldType } from './field-types.ts';

/** It has its effect in these files. */
export const actedOn = <T>(type: FieldType<T>, ...files: string[]): FieldType<T> => ({
  ...type,
  claim: { ...type.claim, actedOn: files },
});

/** It can have no effect, and why. */
export const noEffect = <T>(type: FieldType<T>, why: string): FieldType<T> => ({
  ...type,
  claim: { noEffect: why },
});

/** Everything but the default is refused: what it configures does not start. */
export const only = <T>(type: FieldType<T>, why: string): FieldType<T> =>
  unless(type, (value) => isDeepStrictEqual(value, type.initial), {
    values: `all but the default, ${shown(type.initial)}`,
    why,
  });

/** Some values are refused: what they configure does not start. */
export const unless = <T>(
  type: FieldType<T>,
  isFine: (value: T) => boolean,
  remark: { values: string; why: string },
): FieldType<T> =>
  judged(type, { refused: [remark] }, isFine, (report, path, value) =>
    report.error(path, `${JSON.stringify(value)} is not supported here: ${remark.why}`),
  );

/** Everything but the default is warned of, and has no effect. */
export const warnedOf = <T>(type: FieldType<T>, why: string): FieldType<T> =>
  judged(
    type,
    { warned: [{ values: `all but the default, ${shown(type.initial)}`, why }] },
    (value) => isDeepStrictEqual(value, type.initial),
    (report, path) => report.warn(path, why),
  );

function judged<T>(
  type: FieldType<T>,
  claim: FieldClaim,
  isFine: (value: T) => boolean,
  otherwise: (report: FieldReport, path: string, value: unknown) => void,
): FieldType<T> {
  return {
    ...type,
    claim: { ...type.claim, ...claim },
    decode(value, path, report) {
      const decoded = type.decode(value, path, report);
      if (!isFine(decoded)) otherwise(report, path, value);
      return decoded;
    },
  };
}

const shown = (value: unknown) => `\`${value === undefined ? 'none' : JSON.stringify(value)}\``;
