import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { zeroOf } from '../schema/conform.ts';
import { type MessageSchema, messageSchema } from '../schema/schema.ts';

const blanks = new WeakMap<MessageSchema, JsonObject>();

/**
 * A kind's object before anything is given: structs that are no pointers are there, some lists, maps and texts are there and
 * empty. What a new object brings of those is nobody's change.
 */
export function blankObject(schema: MessageSchema): JsonObject {
  let blank = blanks.get(schema);
  if (!blank) {
    blank = Object.fromEntries(
      [...schema.jsonFields].flatMap(([name, field]): [string, JsonValue][] => {
        const { shape, message, pointer, omitZero } = field;
        const isStruct = shape === 'single' && message !== undefined;
        const zero = isStruct ? undefined : zeroOf(field);
        if (zero !== undefined) return [[name, zero]];
        if (!isStruct || pointer || omitZero) return [];
        return [[name, blankObject(messageSchema(message))]];
      }),
    );
    blanks.set(schema, blank);
  }
  return blank;
}
