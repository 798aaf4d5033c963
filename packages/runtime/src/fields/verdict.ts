/** What a verdict may look at besides the field's value. */
export interface FieldGround {
  /** The kernel labels processes and files with SELinux. */
  hasSelinux: boolean;
  /** Those beside the default. */
  runtimeHandlers: ReadonlyMap<string, unknown>;
}

/** Values of a field that this runtime refuses. */
export interface Refusal<Value> {
  /** Which values, in words; '' for every one. */
  values: string;
  /** What is wrong and what to do. */
  why: string;
  /** The file that refuses it where it is not the gate. */
  by?: string;
  matches(value: Value, ground: FieldGround): boolean;
}

/** What is made of one field of a CRI request: see docs/fields/cri.md. */
export interface FieldVerdict<Value> {
  /** Files in which it has its effect, as `room/path`. */
  actedOn?: readonly string[];
  refused?: readonly Refusal<Value>[];
  /** Why it can have no effect. */
  noEffect?: string;
}

/** A verdict on every field of a message: the compiler misses none and knows no other. */
export type MessageVerdicts<Message> = {
  readonly [Name in keyof Required<Message>]: FieldVerdict<NonNullable<Message[Name]>>;
};

/** It has its effect in these files. */
export const actedOn = (...files: string[]): FieldVerdict<unknown> => ({
  actedOn: files.map((file) => `runtime/${file}`),
});

/** It can have no effect, and why. */
export const noEffect = (why: string): FieldVerdict<unknown> => ({ noEffect: why });

/** Every value is refused. */
export const refused = (why: string): FieldVerdict<unknown> => ({
  refused: [{ values: '', why, matches: isSet }],
});

/** Some values are refused; `values` says which in words. */
export function refusedWhen<Value>(
  values: string,
  matches: (value: Value, ground: FieldGround) => boolean,
  why: string,
): { refused: readonly Refusal<Value>[] } {
  return { refused: [{ values, why, matches }] };
}

/** Another file refuses some values. */
export const refusedBy = (
  by: string,
  values: string,
  why: string,
): { refused: readonly Refusal<unknown>[] } => ({
  refused: [{ values, why, by: `runtime/${by}`, matches: () => false }],
});

/** Whether a field says anything: what protobuf leaves out does not. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return false;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0;
  return true;
}
