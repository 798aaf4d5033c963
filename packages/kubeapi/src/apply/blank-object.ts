import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { zeroOf } from '../schema/conform.ts';
import { type MessageSchema, messageSchema } from '../schema/schema.ts';

const blanks = new WeakMap<MessageSchema, JsonObject>();

/**
 * A kind's object before anything is given, as upstream's Go types print it: structs that are no pointers are there, some
 * lists and maps are null, some texts empty. What a new object brings of those is nobody's change.
 */
export function blankObject(schema: MessageSchema): JsonObject {
  let blank = blanks.get(schema);
  if (!blank) {
    blank = Object.fromEntries(
      [...schema.jsonFields].flatMap(([name, field]): [string, JsonValue][] => {
        const { shape, message, pointer, omitZero, keep } = field;
        if (shape !== 'single') return keep ? [[name, null]] : [];
        const zero = message === undefined ? zeroOf(field) : undefined;
        if (zero !== undefined) return [[name, zero]];
        if (message === undefined || pointer || omitZero) return [];
        return [[name, blankObject(messageSchema(message))]];
      }),
    );
    blanks.set(schema, blank);
  }
  return blank;
}
