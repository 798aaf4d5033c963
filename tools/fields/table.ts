/**
 * The form of a field table: for every field of every message that comes from outside, what is made of it. A field is
 * acted on, refused, warned of, or without effect by its nature; more than one may hold for different values.
 */

/** Values of a field that are refused or warned of. */
export interface FieldRemark {
  /** Which values, in words: `false`, `Localhost`; '' for every value. */
  values: string;
  /** What the refusal or warning says, or the core of it. */
  why: string;
  /** The file that refuses or warns, where it is not the reader of the table; as in `actedOn`. */
  by?: string | undefined;
}

/** What is made of one field. */
export interface FieldClaim {
  /** Files in which it has its effect: `kubelet/runtime/namespaces` is packages/kubelet/src/execution/sandbox/namespaces.ts. */
  actedOn?: readonly string[] | undefined;
  refused?: readonly FieldRemark[] | undefined;
  warned?: readonly FieldRemark[] | undefined;
  /** The field of another page that it stands for, which says what is made of it. */
  sets?: string | undefined;
  /** Why it can have none. */
  noEffect?: string | undefined;
}

/** One message and all its fields. */
export interface FieldTable {
  message: string;
  fields: Readonly<Record<string, FieldClaim>>;
}

/** One page of docs/fields. */
export interface FieldDocument {
  /** File name in docs/fields, such as `pod.md`. */
  file: string;
  title: string;
  /** A few sentences before the tables. */
  about: string;
  tables: readonly FieldTable[];
  /** Field names of a message as its schema has them; undefined for a message that is not in the schema. */
  schemaFields(message: string): readonly string[] | undefined;
}
