import {
  checkFieldSelector,
  type FieldMatcher,
  type LabelMatcher,
  parseFieldSelector,
  parseLabelSelector,
  selectableField,
} from '@wherry/kubeapi';
import type { ApiObject } from './api-object.ts';
import type { ResourceRequest } from './request.ts';

/** Which objects of a resource a list, watch or deletecollection is about. */
export class Selection {
  readonly #kind: string;
  readonly #labels: LabelMatcher;
  readonly #fields: FieldMatcher;

  constructor(kind: string, labels: LabelMatcher, fields: FieldMatcher) {
    this.#kind = kind;
    this.#labels = labels;
    this.#fields = fields;
  }

  /** Everything: nobody needs to look into the objects. */
  get isEmpty(): boolean {
    return this.#labels.isEmpty && this.#fields.isEmpty;
  }

  /** The one name that can match, if the selection says so. */
  get name(): string | undefined {
    return this.#fields.exactMatch('metadata.name');
  }

  matches(object: ApiObject): boolean {
    return (
      this.#labels.matches(object.metadata.labels) &&
      this.#fields.matches((field) => selectableField(this.#kind, object, field))
    );
  }
}

/** The selection in a request's query. Throws 400 on selectors that can't be read or fields that can't be selected. */
export function readSelection(request: ResourceRequest, kind: string): Selection {
  const labels = parseLabelSelector(request.query.text('labelSelector'));
  const fields = parseFieldSelector(request.query.text('fieldSelector'));
  checkFieldSelector(kind, fields);
  return new Selection(kind, labels, fields);
}
