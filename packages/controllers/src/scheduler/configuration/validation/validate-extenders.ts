import { at, child, type FieldError, type FieldPath, invalidValue, qualifiedName } from '@wherry/kubeapi';
import type { ExtenderConfiguration } from '../configuration.ts';

/** Violations in the list of extenders. */
export function validateExtenders(
  path: FieldPath,
  extenders: readonly ExtenderConfiguration[],
): FieldError[] {
  const managed = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, { prioritizeVerb = '', weight = 0, managedResources = [] }] of extenders.entries()) {
    const here = at(path, index);
    if (prioritizeVerb !== '' && weight <= 0)
      errors.push(invalidValue(child(here, 'weight'), weight, 'must have a positive weight applied to it'));
    for (const [place, { name }] of managedResources.entries()) {
      const resource = child(at(child(here, 'managedResources'), place), 'name');
      errors.push(...validateExtendedName(resource, name));
      if (managed.has(name))
        errors.push(invalidValue(resource, name, 'duplicate extender managed resource name'));
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb = '' }) => bindVerb !== '').length;
  if (binders <= 1) return errors;
  const found = `found ${binders} extenders implementing bind`;
  return [...errors, invalidValue(path, found, 'only one extender can implement bind')];
}

function validateExtendedName(path: FieldPath, name: string): FieldError[] {
  const odd = qualifiedName(name).map((detail) => invalidValue(path, name, detail));
  if (odd.length > 0) return odd;
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  const isExtended =
    !isNative && !name.startsWith('requests.') && qualifiedName(`requests.${name}`).length === 0;
  return isExtended ? [] : [invalidValue(path, name, 'is an invalid extended resource name')];
}
