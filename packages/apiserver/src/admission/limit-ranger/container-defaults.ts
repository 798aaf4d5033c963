import { type Container, type LimitRange, ownValue, type Pod, setOwn } from '@wherry/kubeapi';

type AmountTexts = Record<string, string>;

const annotation = 'kubernetes.io/limit-ranger';

/** Gives a pod's containers what a limit range prescribes for those that say nothing; the pod's annotation tells. */
export function setContainerDefaults(pod: Pod, { spec }: LimitRange): void {
  const items = (spec?.limits ?? []).filter(({ type }) => type === 'Container');
  const requests: AmountTexts = Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest));
  const limits: AmountTexts = Object.assign({}, ...items.map((item) => item.default));
  const told = [
    ...(pod.spec?.containers ?? []).flatMap((each) => fill(each, { requests, limits }, 'container')),
    ...(pod.spec?.initContainers ?? []).flatMap((each) => fill(each, { requests, limits }, 'init container')),
  ];
  if (told.length === 0) return;
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${told.join('; ')}`,
  };
}

/** What was set of requests and of limits, a sentence each. */
function fill(
  container: Pick<Container, 'name' | 'resources'>,
  defaults: { requests: AmountTexts; limits: AmountTexts },
  what: string,
): string[] {
  return (['requests', 'limits'] as const).flatMap((side) => {
    const present = container.resources?.[side];
    const missing = Object.keys(defaults[side])
      .filter((name) => ownValue(present, name) === undefined)
      .sort();
    if (missing.length === 0) return [];
    const amounts: AmountTexts = { ...present };
    for (const name of missing) setOwn(amounts, name, ownValue(defaults[side], name) ?? '0');
    container.resources = { ...container.resources, [side]: amounts };
    return [`${missing.join(', ')} ${side.slice(0, -1)} for ${what} ${container.name}`];
  });
}
