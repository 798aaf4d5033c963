/** Violations in amounts of huge pages: whole pages of the size that their name says. */

import type { PodSpec, ResourceRequirements } from '../../../../../generated/types.ts';
import {
  at,
  child,
  type FieldError,
  type FieldPath,
  invalidValue,
} from '../../../../../status/field-error.ts';
import { parseQuantity } from '../../../../../values/quantity.ts';

const prefix = 'hugepages-';

/** Violations in all that a pod asks for; an older server let pods ask for parts of pages, and who has them may keep them. */
export function validateHugePages(spec: PodSpec, field: FieldPath, previous?: PodSpec): FieldError[] {
  const errors = partsOfPages(spec, field);
  return errors.length > 0 && previous && partsOfPages(previous, field).length > 0 ? [] : errors;
}

function partsOfPages(spec: PodSpec, field: FieldPath): FieldError[] {
  return [
    ...inResources(spec.resources, child(field, 'resources')),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap(({ resources }, index) =>
        inResources(resources, child(at(child(field, list), index), 'resources')),
      ),
    ),
    ...inResources({ limits: spec.overhead ?? {} }, child(field, 'overhead')),
  ];
}

function inResources(resources: ResourceRequirements | undefined, field: FieldPath): FieldError[] {
  return (['limits', 'requests'] as const).flatMap((part) =>
    Object.entries(resources?.[part] ?? {}).flatMap(([name, amount]) => {
      if (!name.startsWith(prefix) || areWholePages(name, amount)) return [];
      const detail = `${amount} is not positive integer multiple of ${name}`;
      return [invalidValue(at(child(field, part), name), amount, detail)];
    }),
  );
}

function areWholePages(name: string, amount: string): boolean {
  const { nanos } = parseQuantity(amount);
  const size = sizeIn(name);
  return size !== undefined && size > 0n && nanos >= 0n && nanos % size === 0n;
}

function sizeIn(name: string): bigint | undefined {
  try {
    return parseQuantity(name.slice(prefix.length)).nanos;
  } catch {
    return undefined;
  }
}
