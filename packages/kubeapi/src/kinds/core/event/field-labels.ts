/** What events of either group can be selected by. */
import { fieldText } from '../../../selector/field-selector.ts';

/** Label → the text of an event without it; the core group's words. */
export const eventLabels = {
  'involvedObject.kind': '',
  'involvedObject.namespace': '',
  'involvedObject.name': '',
  'involvedObject.uid': '',
  'involvedObject.apiVersion': '',
  'involvedObject.resourceVersion': '',
  'involvedObject.fieldPath': '',
  reason: '',
  reportingComponent: '',
  source: '',
  type: '',
};

/** Where an event of either group says whose it is: its source, or else who reports it (upstream: registry/core/event). */
export function sourcePath(event: object): string {
  const places = ['source', 'deprecatedSource'].map((field) => `${field}.component`);
  const [reporter] = ['reportingComponent', 'reportingController'].filter((field) =>
    Object.hasOwn(event, field),
  );
  return places.find((path) => fieldText(event, path)) ?? reporter ?? 'source.component';
}
