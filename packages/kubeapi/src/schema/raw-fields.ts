import { type MessageSchema, messageSchema } from './schema.ts';

const known = new Map<string, boolean>();

/** True where an object of the message, or a part of it, holds JSON as it was sent (runtime.RawExtension). */
export function holdsRawJson({ name, fields }: MessageSchema): boolean {
  const answer = known.get(name);
  if (answer !== undefined) return answer;
  known.set(name, false);
  const result = fields.some(
    ({ scalar, message }) =>
      scalar === 'RawExtension' || (message !== undefined && holdsRawJson(messageSchema(message))),
  );
  known.set(name, result);
  return result;
}
