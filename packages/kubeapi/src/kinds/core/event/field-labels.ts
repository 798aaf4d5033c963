/** What events of either group can be selected by. */

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
