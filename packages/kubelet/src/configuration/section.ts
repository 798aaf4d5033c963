import { ownValue } from '@wherry/kubeapi';
import { type FieldType, isMap } from './field-types.ts';

type Decoded<Fields> = { [Name in keyof Fields]: Fields[Name] extends FieldType<infer T> ? T : never };

/** An object with named fields. Fields it does not know are warned about and left out. */
export function section<Fields extends Record<string, FieldType<unknown>>>(
  fields: Fields,
): FieldType<Decoded<Fields>> {
  const entries = Object.entries(fields);
  const initial = Object.fromEntries(entries.map(([name, field]) => [name, field.initial]));
  return {
    initial: initial as Decoded<Fields>,
    claim: {},
    fields,
    decode(value, path, report) {
      if (!isMap(value)) {
        report.error(path || 'document', `${JSON.stringify(value)} is not an object`);
        return initial as Decoded<Fields>;
      }
      const at = (name: string) => (path ? `${path}.${name}` : name);
      for (const name of Object.keys(value).filter((name) => !Object.hasOwn(fields, name))) {
        report.warn(at(name), 'is not known here and has no effect');
      }
      const decoded = entries.map(([name, field]) => {
        const given = ownValue(value, name);
        return [name, isUnset(given, field) ? field.initial : field.decode(given, at(name), report)];
      });
      return Object.fromEntries(decoded) as Decoded<Fields>;
    },
    encode(value) {
      const given = new Map<string, unknown>(Object.entries(value));
      return Object.fromEntries(entries.map(([name, field]) => [name, field.encode(given.get(name))]));
    },
  };
}

const zeros: readonly unknown[] = ['', 0, false, '0', '0s'];
const zerosOfText: readonly unknown[] = [''];

/** As Go decodes: null is as good as nothing, and so is zero where the field is no pointer. */
function isUnset(given: unknown, field: FieldType<unknown>): boolean {
  if (given === undefined || given === null) return true;
  return !field.keepsZero && (field.isText ? zerosOfText : zeros).includes(given);
}
