import {
  badRequest,
  checkFieldSelector,
  FieldMatcher,
  type LabelMatcher,
  type ObjectType,
  ownValue,
  parseFieldSelector,
  parseLabelSelector,
} from '@wherry/kubeapi';
import type { ApiObject } from '../objects/api-object.ts';
import type { ResourceRequest } from './request.ts';

/** Which objects of a resource a list, watch or deletecollection is about. */
export class Selection {
  readonly #type: ObjectType;
  readonly #labels: LabelMatcher;
  readonly #fields: FieldMatcher;
  /** Each of these stands in the stored text of every object that matches. */
  readonly #needles: readonly string[];

  constructor(type: ObjectType, labels: LabelMatcher, fields: FieldMatcher) {
    this.#type = type;
    this.#labels = labels;
    this.#fields = fields;
    this.#needles = [...labelNeedles(labels), ...fieldNeedles(fields)];
  }

  /** Everything: nobody needs to look into the objects. */
  get isEmpty(): boolean {
    return this.#labels.isEmpty && this.#fields.isEmpty;
  }

  /** The one name that can match, if the selection says so. */
  get name(): string | undefined {
    return this.#fields.exactMatch('metadata.name');
  }

  /** False for stored text that can't be a matching object's; spares parsing most of what does not match. */
  mayMatch(text: string): boolean {
    return this.#needles.every((needle) => text.includes(needle));
  }

  matches(object: ApiObject): boolean {
    return (
      this.#labels.matches(object.metadata.labels) &&
      this.#fields.matches((field) => this.#type.fieldText(object, field))
    );
  }
}

function labelNeedles({ requirements }: LabelMatcher): string[] {
  const equalities = requirements.filter(({ operator, values }) => operator === 'In' && values.length === 1);
  return equalities.map(({ key, values }) => `${JSON.stringify(key)}:${JSON.stringify(values[0])}`);
}

/** Fields that are texts, under the name that the object gives them. */
const textFields: Record<string, string> = {
  'metadata.name': 'name',
  'metadata.namespace': 'namespace',
  'spec.nodeName': 'nodeName',
};

function fieldNeedles({ terms }: FieldMatcher): string[] {
  return terms.flatMap(({ field, isEqual, value }) => {
    const name = ownValue(textFields, field);
    return name && isEqual && value !== '' ? [`"${name}":${JSON.stringify(value)}`] : [];
  });
}

/** The selection in a request's query. Throws 400 on selectors that can't be read or fields that can't be selected. */
export function readSelection(request: ResourceRequest, type: ObjectType): Selection {
  const labels = parseLabelSelector(request.query.text('labelSelector'));
  const fields = readFields(request);
  checkFieldSelector(type, fields);
  return new Selection(type, labels, fields);
}

/** A name in the path (`/watch/…/NAME`) selects as a field does, and allows no other fields but itself. */
function readFields({ info: { name }, query }: ResourceRequest): FieldMatcher {
  const fields = parseFieldSelector(query.text('fieldSelector'));
  if (name === '') return fields;
  if (fields.isEmpty) return new FieldMatcher([{ field: 'metadata.name', isEqual: true, value: name }]);
  if (fields.exactMatch('metadata.name') === name) return fields;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}
