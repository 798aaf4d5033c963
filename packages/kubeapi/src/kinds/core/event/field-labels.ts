/** What events of the core group can be selected by. */
import { fieldText } from '../../../selector/field-selector.ts';

/** Label → the text of an event of the core group without it. */
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

/** Where an event of the core group says whose it is: its source, or else who reports it (upstream: registry/core/event). */
export function sourcePath(event: object): string {
  if (fieldText(event, 'source.component') || !('reportingComponent' in event)) return 'source.component';
  return 'reportingComponent';
}
