import { type FieldError, invalidValue } from '@wherry/kubeapi';

/** How much a pod may do: everything, what is not known to escalate, or the least. */
export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as of a minor version of 1.x; Infinity is `latest`. */
export interface LevelVersion {
  level: Level;
  minor: number;
}

/** What a violation leads to. */
export type Mode = 'enforce' | 'audit' | 'warn';

/** The policy of a namespace. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted'];
/** Of labels, and of what the audit log is told. */
export const labelPrefix = 'pod-security.kubernetes.io/';
export const modes: readonly Mode[] = ['enforce', 'audit', 'warn'];

/** The label of a mode's level. */
export const levelLabel = (mode: Mode): string => `${labelPrefix}${mode}`;
/** The label of a mode's version. */
export const versionLabel = (mode: Mode): string => `${labelPrefix}${mode}-version`;

/** `restricted:latest`, `baseline:v1.24`. */
export function policyText({ level, minor }: LevelVersion): string {
  return `${level}:${versionText(minor)}`;
}

/** `latest` or `v1.N`. */
export function versionText(minor: number): string {
  return minor === Number.POSITIVE_INFINITY ? 'latest' : `v1.${minor}`;
}

/** Undefined for any other text. */
export function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

/** The minor version of `latest` or `v1.N`; undefined for any other text. */
export function parseVersion(text: string): number | undefined {
  if (text === 'latest') return Number.POSITIVE_INFINITY;
  const [, digits] = /^v1\.(0|[1-9][0-9]{0,8})$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Positive when `left` allows less than `right`. */
export function compareLevels(left: Level, right: Level): number {
  return levels.indexOf(left) - levels.indexOf(right);
}

/** True when both come to the same, whatever version a privileged one names. */
export function isEquivalent(left: LevelVersion, right: LevelVersion): boolean {
  if (left.level !== right.level) return false;
  return left.level === 'privileged' || left.minor === right.minor;
}

/**
 * The policy that a namespace's labels ask for, what they leave out taken from `defaults`. A label that can't be read
 * enforces the restricted level, and neither audits nor warns (upstream: pod-security-admission api/helpers.go).
 */
export function policyOf(
  labels: Readonly<Record<string, string>> | undefined,
  defaults: Policy,
): { policy: Policy; errors: FieldError[] } {
  const given = new Map(Object.entries(labels ?? {}));
  const errors: FieldError[] = [];
  const read = (mode: Mode): LevelVersion => {
    const result = { ...defaults[mode] };
    const levelText = given.get(levelLabel(mode));
    const versionGiven = given.get(versionLabel(mode));
    if (levelText !== undefined) {
      const level = parseLevel(levelText);
      if (level === undefined) {
        errors.push(labelError(levelLabel(mode), levelText, `must be one of ${levels.join(', ')}`));
      }
      result.level = level ?? (mode === 'enforce' ? 'restricted' : 'privileged');
    }
    if (versionGiven !== undefined) {
      const minor = parseVersion(versionGiven);
      if (minor === undefined) {
        errors.push(labelError(versionLabel(mode), versionGiven, 'must be "latest" or "v1.x"'));
      }
      result.minor = minor ?? Number.POSITIVE_INFINITY;
    }
    return result;
  };
  const policy = { enforce: read('enforce'), audit: read('audit'), warn: read('warn') };
  return { policy: { ...policy, warn: impliedWarning(policy, given) }, errors };
}

/** Whoever enforces a level is warned by it, unless something else is said about warnings. */
function impliedWarning({ enforce, warn }: Policy, given: ReadonlyMap<string, string>): LevelVersion {
  const isEnforceGiven = parseLevel(given.get(levelLabel('enforce')) ?? '') !== undefined;
  if (given.has(levelLabel('warn')) || !isEnforceGiven || compareLevels(enforce.level, warn.level) <= 0) {
    return warn;
  }
  return { level: enforce.level, minor: given.has(versionLabel('warn')) ? warn.minor : enforce.minor };
}

function labelError(label: string, value: string, detail: string): FieldError {
  return invalidValue(`metadata.labels[${label}]`, value, detail);
}
