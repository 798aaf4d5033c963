/** What a server has to know of the objects of one kind in one version; a reference, wherever the kind comes from. */
import type { Node } from './apply/node.ts';
import type { RuleVerdict } from './cel/schema/check-rules.ts';
import type { GroupVersionKind } from './generated/types.ts';
import type { JsonValue } from './json/json-value.ts';
import type { Conformed } from './schema/conform.ts';
import type { MessageSchema } from './schema/schema.ts';
import type { FieldError } from './status/field-error.ts';
import type { Printer } from './table/printer.ts';

/** A type of objects. */
export interface ObjectType {
  readonly gvk: GroupVersionKind;
  /** Of lists of them. Default: the kind and `List`. */
  readonly listKind?: string | undefined;
  /** Absent: JSON is the only form, and patches by its merge keys are none. */
  readonly schema?: MessageSchema | undefined;
  /** The object in the type's form; it may share parts of the value, which stays as it is. Throws ConformError. */
  read(value: JsonValue): Conformed;
  /** Fills in what absent fields mean, in place; `isApplied` where a server-side apply made the object. Default: false. */
  setDefaults(object: object, isApplied?: boolean): void;
  /** Violations in a new object. */
  checkNew(object: object): FieldError[];
  /** Violations in a change of the object, or of one of its sub-resources. */
  checkChange(next: object, previous: object, subresource: string): FieldError[];
  /**
   * Absent: there are none. Violations of rules in CEL, for an object in which nothing else was found that keeps them
   * from being looked at; `pause` is waited for between them, since each may take its time.
   */
  checkRules?(next: object, previous: object | undefined, pause: () => Promise<void>): Promise<RuleVerdict>;
  readonly printer: Printer<never>;
  /** What field selectors may name beside name and namespace. */
  readonly fieldLabels: readonly string[];
  /** The text of such a field. */
  fieldText(object: object, label: string): string | undefined;
  /** How objects are cut into parts that can be owned apart. */
  readonly node: Node;
}
