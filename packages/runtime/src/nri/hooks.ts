import type { Hooks } from '../generated/nri.ts';

/** When hooks run, as the OCI configuration names it too. */
const phases = [
  'prestart',
  'createRuntime',
  'createContainer',
  'startContainer',
  'poststart',
  'poststop',
] as const satisfies readonly (keyof Hooks)[];

/** The hooks of each phase. */
export function hooksBy(of: (phase: keyof Hooks) => Hooks['prestart']): Hooks {
  return Object.fromEntries(phases.map((phase) => [phase, of(phase)])) as unknown as Hooks;
}
