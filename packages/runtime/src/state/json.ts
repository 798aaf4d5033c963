/** A JSON object as it was read: nothing about it is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text, or '' where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
