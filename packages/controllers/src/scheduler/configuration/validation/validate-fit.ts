/** Violations in the arguments of NodeResourcesFit, which upstream finds when it makes the plug-in: their paths begin there. */
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '@wherry/kubeapi';
import type { PluginArguments, ResourceSpec, ShapePoint } from '../configuration.ts';
import { labelName } from './validate-arguments.ts';

const strategies = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];

/** All of them. */
export function validateFit({
  ignoredResources = [],
  ignoredResourceGroups = [],
  scoringStrategy,
}: PluginArguments['NodeResourcesFit']): FieldError[] {
  const { type = '', resources, requestedToCapacityRatio: ratio } = scoringStrategy;
  const path = 'scoringStrategy';
  const ratioPath = child(path, 'requestedToCapacityRatio');
  const isRatio = type === 'RequestedToCapacityRatio';
  return [
    ...ignoredResources.flatMap((name, index) => labelName(at('ignoredResources', index), name)),
    ...ignoredResourceGroups.flatMap((group, index) => {
      const here = at('ignoredResourceGroups', index);
      const slash = "resource group name can't contain '/'";
      return [...(group.includes('/') ? [invalidValue(here, group, slash)] : []), ...labelName(here, group)];
    }),
    ...(strategies.includes(type) ? [] : [notSupported(child(path, 'type'), type, strategies)]),
    ...validateWeights(resources, child(path, 'resources')),
    ...(isRatio && !ratio
      ? [required(ratioPath, 'must be specified when type is RequestedToCapacityRatio')]
      : []),
    ...(isRatio && ratio ? validateShape(ratio.shape ?? [], child(ratioPath, 'shape')) : []),
    ...(!isRatio && ratio
      ? [forbiddenField(ratioPath, 'must be nil when type is not RequestedToCapacityRatio')]
      : []),
  ];
}

function validateWeights(resources: readonly ResourceSpec[], path: FieldPath): FieldError[] {
  return resources.flatMap(({ name, weight }, index) => {
    const detail = `resource weight of ${name} not in valid range (0, 100]`;
    return weight > 0 && weight <= 100
      ? []
      : [invalidValue(child(at(path, index), 'weight'), weight, detail)];
  });
}

function validateShape(shape: readonly ShapePoint[], path: FieldPath): FieldError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const unsorted = shape.findIndex(
    ({ utilization }, index) => index > 0 && shape[index - 1]!.utilization >= utilization,
  );
  const outside = (value: number, most: number, place: FieldPath) =>
    value < 0 || value > most ? [invalidValue(place, value, `not in valid range [0, ${most}]`)] : [];
  const place = (index: number, name: string) => child(at(path, index), name);
  return [
    ...(unsorted < 0
      ? []
      : [
          invalidValue(
            place(unsorted, 'utilization'),
            shape[unsorted]!.utilization,
            'values must be sorted in increasing order',
          ),
        ]),
    ...shape.flatMap(({ utilization, score }, index) => [
      ...outside(utilization, 100, place(index, 'utilization')),
      ...outside(score, 10, place(index, 'score')),
    ]),
  ];
}
