import type { Descriptions } from '../kinds/definition.ts';

/** Metadata, selectors, status answers. */
export const metadataDescriptions: Descriptions = {
  ObjectMeta: {
    '': 'What every stored object has.',
    name: 'Unique among the objects of its kind in the namespace. Cannot be changed.',
    generateName: 'A prefix to which the server adds random characters when no name is given.',
    namespace: 'The space in which the name is unique. Cannot be changed.',
    uid: 'Unique over time and space; a new object of the same name has another one. Set by the system.',
    resourceVersion:
      'The stored version. Send it back with an update to have it refused when it is no longer current.',
    generation: 'Counts changes of what is wanted. Set by the system.',
    creationTimestamp:
      'CreationTimestamp is a timestamp of when the server stored the object. Set by the system.',
    deletionTimestamp: 'When the object will be gone, once its deletion was asked for. Set by the system.',
    deletionGracePeriodSeconds:
      'Seconds given to end in order before the object is removed. Set by the system.',
    labels: 'Short names and values to select objects by.',
    annotations: 'Names and values for tools; not for selecting. Up to 256 KiB in all.',
    ownerReferences: 'The objects this one belongs to. It is removed when all of them are gone.',
    finalizers: 'Names of those who must act before the object may go. It stays until the list is empty.',
    managedFields: 'Who set which fields. Kept by the server for apply.',
    selfLink: 'No longer set.',
  },
  OwnerReference: {
    '': 'Points to an object that this one belongs to.',
    apiVersion: 'Version of the owner.',
    kind: 'Kind of the owner.',
    name: 'Name of the owner.',
    uid: 'UID of the owner.',
    controller: 'True for the one owner that manages this object.',
    blockOwnerDeletion: 'True when the owner may not go before this object in a foreground deletion.',
  },
  ListMeta: {
    '': 'What every list has.',
    resourceVersion: 'The state that the list shows; a watch can begin there.',
    continue: 'Ask again with this text to get the rest of the list.',
    remainingItemCount: 'How many objects are left beyond this part of the list.',
  },
  LabelSelector: {
    '': 'A condition on labels. All parts must hold; an empty one holds for every object.',
    matchLabels: 'Labels that must be present with just these values.',
    matchExpressions: 'Further conditions.',
  },
  LabelSelectorRequirement: {
    '': 'One condition on one label.',
    key: 'The label.',
    operator: 'In, NotIn, Exists or DoesNotExist.',
    values: 'The values for In and NotIn; empty for the others.',
  },
  Condition: {
    '': 'One aspect of the present state.',
    type: 'Which aspect.',
    status: 'True, False or Unknown.',
    observedGeneration: 'The generation this was true of.',
    lastTransitionTime: 'When the status last changed.',
    reason: 'Why, in one word, for programs.',
    message: 'Why, in a sentence, for people.',
  },
  Status: {
    '': 'The answer to a request that returns no object.',
    status: 'Success or Failure.',
    message: 'What happened, for people.',
    reason: 'Why it failed, in one word, for programs.',
    details: 'What the failure is about.',
    code: 'The HTTP status.',
  },
  DeleteOptions: {
    '': 'How an object is to be deleted.',
    gracePeriodSeconds: 'Seconds to end in order; 0 deletes at once.',
    preconditions: 'Delete only when these still hold.',
    propagationPolicy: 'What happens to dependents: Orphan, Background or Foreground.',
    dryRun: 'All: go through every step, delete nothing.',
  },
};
