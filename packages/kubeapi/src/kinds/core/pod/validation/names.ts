/** Violations in what a pod says about names: DNS, host aliases, scheduling gates. */

import type { PodDNSConfig, PodSchedulingGate, PodSpec } from '../../../../generated/types.ts';
import {
  at,
  child,
  duplicate,
  type FieldError,
  type FieldPath,
  invalidValue,
  required,
} from '../../../../status/field-error.ts';
import { dnsSubdomain, ipAddress, qualifiedName } from '../../../../validation/formats.ts';
import { check } from '../../../../validation/metadata.ts';

const nameServersMax = 3;
const searchesMax = 32;
const searchCharactersMax = 2048;

/** Violations in `dnsConfig` and `hostAliases`. */
export function validateResolution(
  { dnsPolicy, dnsConfig, hostAliases = [] }: PodSpec,
  field: FieldPath,
): FieldError[] {
  const place = child(field, 'dnsConfig');
  const aliases = hostAliases.flatMap(({ ip, hostnames = [] }, index) => {
    const alias = at(child(field, 'hostAliases'), index);
    const names = hostnames.flatMap((name, nameAt) =>
      check(at(child(alias, 'hostnames'), nameAt), name, dnsSubdomain),
    );
    return [...check(child(alias, 'ip'), ip, ipAddress), ...names];
  });
  return [...validateDnsConfig(dnsPolicy, dnsConfig, place), ...aliases];
}

function validateDnsConfig(
  policy: string | undefined,
  config: PodDNSConfig | undefined,
  field: FieldPath,
): FieldError[] {
  if (policy === 'None' && !config)
    return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  if (policy === 'None' && nameservers.length === 0) {
    const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [required(child(field, 'nameservers'), detail)];
  }
  const errors = nameservers.flatMap((address, index) =>
    check(at(child(field, 'nameservers'), index), address, ipAddress),
  );
  if (nameservers.length > nameServersMax) {
    const detail = `must not have more than ${nameServersMax} nameservers`;
    errors.push(invalidValue(child(field, 'nameservers'), nameservers, detail));
  }
  if (searches.length > searchesMax) {
    const detail = `must not have more than ${searchesMax} search paths`;
    errors.push(invalidValue(child(field, 'searches'), searches, detail));
  }
  if (searches.join(' ').length > searchCharactersMax) {
    const detail = `must not have more than ${searchCharactersMax} characters (including spaces) in the search list`;
    errors.push(invalidValue(child(field, 'searches'), searches, detail));
  }
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    // Underscores, and a dot at the end, are fine for a resolver.
    const name = search.replace(/\.$/, '').replace(/(?<=[a-z0-9])_(?=[a-z0-9])|^_|(?<=\.)_/g, 'a');
    errors.push(...check(at(child(field, 'searches'), index), name, dnsSubdomain));
  }
  for (const [index, { name }] of options.entries()) {
    if (!name) errors.push(required(at(child(field, 'options'), index), 'must not be empty'));
  }
  return errors;
}

/** Violations in scheduling gates. */
export function validateSchedulingGates(gates: PodSchedulingGate[], field: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return gates.flatMap(({ name }, index) => {
    const repeated = seen.has(name) ? [duplicate(at(field, index), name)] : [];
    seen.add(name);
    return [...check(at(field, index), name, qualifiedName), ...repeated];
  });
}

/** A group that a pod is scheduled with has a name. */
export function validateSchedulingGroup({ schedulingGroup: group }: PodSpec, field: FieldPath): FieldError[] {
  if (!group) return [];
  const place = child(field, 'schedulingGroup', 'podGroupName');
  const { podGroupName: name } = group;
  if (name === undefined) return [invalidValue(place, undefined, 'must specify one of: `podGroupName`')];
  return check(place, name, dnsSubdomain);
}
