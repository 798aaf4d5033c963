import { type FieldError, invalid, type ObjectType } from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';

/** Where rules in CEL say what is let be, and how long they may go on in one go. */
export interface RuleSurroundings {
  warn(text: string): void;
  /** Lets others have their turn, when it is time. */
  pause(): Promise<void>;
  /** The group that a refusal names: that of the stored form. */
  group: string;
}

/** Throws 422 with every violation of a new object. */
export async function checkNew(
  object: ApiObject,
  type: ObjectType,
  surroundings: RuleSurroundings,
): Promise<void> {
  const errors = type.checkNew(object);
  if (type.checkRules) errors.push(...(await ruleErrors(object, undefined, { type, errors, surroundings })));
  if (errors.length > 0) throw refused(object, errors, type, surroundings);
}

/** Throws 422 with every violation of a changed object. */
export async function checkUpdate(
  next: ApiObject,
  previous: ApiObject,
  {
    type,
    subresource,
    surroundings,
  }: { type: ObjectType; subresource: string; surroundings: RuleSurroundings },
): Promise<void> {
  const errors = type.checkChange(next, previous, subresource);
  if (type.checkRules) errors.push(...(await ruleErrors(next, previous, { type, errors, surroundings })));
  if (errors.length > 0) throw refused(next, errors, type, surroundings);
}

const refused = (
  { metadata: { name = '' } }: ApiObject,
  errors: FieldError[],
  { gvk: { kind } }: ObjectType,
  { group }: RuleSurroundings,
) => invalid({ group, kind }, name, errors);

/** With such a violation an object has not the form that rules are made for. */
const blocking: ReadonlySet<string> = new Set([
  ...['FieldValueNotSupported', 'FieldValueRequired', 'FieldValueTooLong', 'FieldValueTooMany'],
  'FieldValueTypeInvalid',
]);

async function ruleErrors(
  next: ApiObject,
  previous: ApiObject | undefined,
  {
    type,
    errors,
    surroundings,
  }: { type: ObjectType; errors: readonly FieldError[]; surroundings: RuleSurroundings },
): Promise<FieldError[]> {
  if (errors.some((error) => blocking.has(error.type))) {
    const why =
      'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
    return [{ type: 'FieldValueInvalid', field: '<nil>', body: `Invalid value: null: ${why}` }];
  }
  const verdict = await type.checkRules!(next, previous, () => surroundings.pause());
  for (const { field, body } of verdict.warnings) surroundings.warn(`${field}: ${body}`);
  return verdict.errors;
}
