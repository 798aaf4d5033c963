import type { Pod } from '@wherry/kubeapi';
import type { Check, PodCheck, Violation } from './checks/check.ts';
import { hostChecks } from './checks/host.ts';
import { privilegeChecks } from './checks/privileges.ts';
import { profileChecks } from './checks/profiles.ts';
import type { LevelVersion } from './policy.ts';

const byId = (left: Check, right: Check) => (left.id < right.id ? -1 : 1);
const checks = [...hostChecks, ...profileChecks, ...privilegeChecks].sort(byId);
/** The version since which nothing has changed; later ones mean the same. */
const latestMinor = Math.max(
  ...checks.flatMap(({ versions }) => versions.map(({ sinceMinor }) => sinceMinor)),
);

const compiled = new Map<string, readonly PodCheck[]>();

/** Everything that a level of a version forbids in a pod, in upstream's order. */
export function violations({ level, minor }: LevelVersion, pod: Pod): Violation[] {
  if (level === 'privileged') return [];
  return checksOf(level, Math.min(minor, latestMinor)).flatMap((check) => check(pod) ?? []);
}

/** `hostPort (container "a" uses hostPort 80), privileged (…)`. */
export function detailText(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
}

/** `hostPort, privileged`. */
export function reasonText(found: readonly Violation[]): string {
  return found.map(({ reason }) => reason).join(', ');
}

function checksOf(level: 'baseline' | 'restricted', minor: number): readonly PodCheck[] {
  const key = `${level}/${minor}`;
  let known = compiled.get(key);
  if (!known) {
    known = compile(level, minor);
    compiled.set(key, known);
  }
  return known;
}

/** The baseline's checks first; the restricted level leaves out those that one of its own contains. */
function compile(level: 'baseline' | 'restricted', minor: number): PodCheck[] {
  const active = checks.flatMap(({ id, level: own, versions }) => {
    const version = versions.findLast(({ sinceMinor }) => sinceMinor <= minor);
    return version ? [{ id, level: own, ...version }] : [];
  });
  const baseline = active.filter((check) => check.level === 'baseline');
  if (level === 'baseline') return baseline.map(({ check }) => check);
  const restricted = active.filter((check) => check.level === 'restricted');
  const overridden = new Set(restricted.flatMap(({ overrides = [] }) => overrides));
  return [...baseline.filter(({ id }) => !overridden.has(id)), ...restricted].map(({ check }) => check);
}
