import type { KubeClient, KubeObject } from '@wherry/client';
import { copyJson, type LabelSelector, type Service } from '@wherry/kubeapi';
import { CommandError } from '../../errors.ts';
import { readLabelSelector } from '../../kube/label-selector.ts';
import { withCause } from '../../objects/change-cause.ts';
import type { FoundObject } from '../../objects/find-objects.ts';
import { outcomePrinter } from '../../objects/outcome.ts';
import { Failures } from '../../output/failures.ts';
import { patchBetween, storeChange } from './change-objects.ts';
import { chooseObjects, refuseWordsLocally, type SetFlags } from './chosen-objects.ts';

/** Flags of `wherry set selector`. */
export interface SetSelectorFlags extends SetFlags {
  resourceVersion?: string;
}

/** Lets services lead to the pods that the last word selects. One that is missing keeps none of the others from being changed. */
export async function setSelector(words: readonly string[], flags: SetSelectorFlags): Promise<void> {
  const text = words.at(-1);
  if (text === undefined) throw new CommandError('one selector is required');
  const selector = readLabelSelector(text);
  const resources = words.slice(0, -1);
  refuseWordsLocally(resources, flags);
  const failures = new Failures();
  const { client, objects } = await chooseObjects(resources, flags, failures);
  const tell = outcomePrinter(flags, { isTyped: true });
  for (const one of objects) {
    const object = await failures.attempt(changeOne(client, one, { selector, flags }));
    if (object) tell({ resource: one.resource, object, done: 'selector updated' });
  }
  failures.report();
}

async function changeOne(
  client: KubeClient | undefined,
  one: FoundObject,
  { selector, flags }: { selector: LabelSelector; flags: SetSelectorFlags },
): Promise<KubeObject> {
  const before = copyJson(one.object);
  const after: KubeObject = withCause(withSelector(one.object, selector), flags);
  const { resourceVersion = '' } = flags;
  if (resourceVersion !== '') {
    // So that it is part of the patch, and refused where it is no longer so.
    delete before.metadata?.resourceVersion;
    after.metadata = { ...after.metadata, resourceVersion };
  }
  return storeChange(client, one, { after, patch: patchBetween(before, after), flags });
}

function withSelector(object: KubeObject, selector: LabelSelector): Service {
  if (object.apiVersion !== 'v1' || object.kind !== 'Service')
    throw new CommandError('setting a selector is only supported for Services');
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (matchExpressions.length > 0) {
    const shown = matchExpressions.map(
      ({ key, operator, values = [] }) => `{${key} ${operator} [${values.join(' ')}]}`,
    );
    throw new CommandError(`match expression [${shown.join(' ')}] not supported on this object`);
  }
  const service = copyJson(object as Service);
  const { selector: _, ...spec } = service.spec ?? {};
  return {
    ...service,
    spec: Object.keys(matchLabels).length > 0 ? { ...spec, selector: matchLabels } : spec,
  };
}
