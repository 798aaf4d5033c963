/** A JSON object as it was read: nothing about it is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text, or '' where there is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Whether a value of JSON has no more levels of lists and objects than that: far deeper ones can be read, and not be written. */
export const isWithinDepth = (value: unknown, depthMax: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depthMax > 0 && Object.values(value).every((member) => isWithinDepth(member, depthMax - 1)));
