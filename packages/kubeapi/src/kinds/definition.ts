/** What is known of a kind beyond the generated facts, which are joined by group and kind. */

import type { JsonObject } from '../json/json-value.ts';
import type { FieldError } from '../status/field-error.ts';
import type { Printer } from '../table/printer.ts';
import type { FormatCheck } from '../validation/formats.ts';

/** Fills in fields of one message, in place. Runs before the constants and before the parts of the message. */
export type ComputedDefault = (object: JsonObject) => void;

/** Message → its own sentence under the empty key, and one per field. */
export type Descriptions = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One version's form of a kind's objects, and the hub's. Neither way changes its argument; apiVersion stays as it is. */
export interface VersionForm {
  toHub(object: never): object;
  fromHub(hub: never): object;
}

/** The versions of a kind whose fields differ: one is the hub, which objects are stored and looked at in. */
export interface KindVersions {
  hub: string;
  /** By version, the hub among them: its own form has nothing of the others'. */
  forms: Readonly<Record<string, VersionForm>>;
}

/**
 * One kind, in all its versions. Defaults and descriptions are by message: those of the kind itself and of its parts;
 * of a part that several kinds share one of them speaks.
 */
export interface KindDefinition<T = never> {
  group: string;
  kind: string;
  /** Where its versions have other fields: columns, labels and checks then know those of the hub. */
  versions?: KindVersions;
  /** The format of names; a DNS subdomain unless said otherwise. */
  nameFormat?: FormatCheck;
  /** Columns and cells of tables; name and time of creation unless said otherwise. */
  printer?: Printer<T>;
  /** What field selectors may name beside `metadata.name` and `metadata.namespace` → the text where it is absent. */
  fieldLabels?: Readonly<Record<string, string>>;
  /** What is said of a field that no selector may name; `field label not supported: FIELD` unless said otherwise. */
  unselectable?(field: string, version: string): string;
  /** Where the field of a label stands; under the label itself unless said otherwise. */
  fieldPath?(label: string, object: object): string;
  /** Violations in a new object beyond those in its metadata; it has its defaults. */
  validate?(object: T): FieldError[];
  /** Violations in a changed object beyond those in its metadata; those of `validate` unless said otherwise. */
  validateUpdate?(next: T, previous: T): FieldError[];
  /** By sub-resource: violations in what it has changed, in place of those of `validateUpdate`. */
  validateSubresource?: Readonly<Record<string, (next: T, previous: T) => FieldError[]>>;
  /** By message: values of fields that are absent, or zero where they cannot be absent. */
  defaults?: Readonly<Record<string, JsonObject>>;
  /** By message: defaults that depend on other fields. */
  computedDefaults?: Readonly<Record<string, ComputedDefault>>;
  /** By message: short sentences, the text behind `kubectl explain`. */
  descriptions?: Descriptions;
}
