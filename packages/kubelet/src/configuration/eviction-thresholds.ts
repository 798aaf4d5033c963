import { ownValue } from '@wherry/kubeapi';
import { amountOf } from '../pod/amount.ts';
import { parseDuration } from './duration.ts';

/** What a node can run short of (pkg/kubelet/eviction/api). */
const evictionSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const;

/** A signal that a configuration may name. */
export type NamedSignal = (typeof evictionSignals)[number];

/** The other one is what is left of the memory that all pods together may have; it has the threshold of memory.available. */
export type EvictionSignal = NamedSignal | 'allocatableMemory.available';

/** Whether a configuration may name it. */
export const isEvictionSignal = (name: string): name is NamedSignal =>
  evictionSignals.some((known) => known === name);

/** The least that must be left: an amount, or a share of the whole from 0 to 1. */
export type Threshold = { amount: number } | { share: number };

/** A threshold at which pods are evicted. */
export interface EvictionRule {
  signal: EvictionSignal;
  threshold: Threshold;
  /** How long it must have been crossed; 0 for a hard threshold. */
  graceMs: number;
  /** How much more than the threshold must be left for it to be over, once pods were evicted for it. */
  minReclaim: Threshold | undefined;
}

/** The fields of a configuration that say when pods are evicted. */
export interface EvictionSettings {
  evictionHard: Readonly<Record<string, string>> | undefined;
  mergeDefaultEvictionSettings: boolean;
  evictionSoft: Readonly<Record<string, string>>;
  evictionSoftGracePeriod: Readonly<Record<string, string>>;
  evictionMinimumReclaim: Readonly<Record<string, string>>;
  enforceNodeAllocatable: readonly string[];
}

/** Upstream's thresholds on Linux (pkg/kubelet/eviction/defaults_linux.go). */
const hardDefaults: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};

/** Reads `100Mi` or `10%`; 0% and 100% mean that there is no threshold. */
export function parseThreshold(signal: string, text: string): { threshold?: Threshold; problem?: string } {
  if (!isEvictionSignal(signal)) return { problem: `unsupported eviction signal ${signal}` };
  if (text === '0%' || text === '100%') return {};
  try {
    if (!text.endsWith('%')) {
      const amount = amountOf(text);
      return amount > 0
        ? { threshold: { amount } }
        : { problem: `eviction threshold ${text} must be positive` };
    }
    const percent = Number(text.slice(0, -1));
    if (percent > 0 && percent < 100) return { threshold: { share: percent / 100 } };
    return { problem: `eviction percentage threshold ${text} must be from 0% to 100%` };
  } catch {
    return { problem: `"${text}" is neither an amount nor a percentage` };
  }
}

/** Reads what is taken away beyond a threshold: an amount, which may be 0, or a share, which may not, but may be more than the whole. */
export function parseReclaim(signal: string, text: string): { threshold?: Threshold; problem?: string } {
  if (!isEvictionSignal(signal)) return { problem: `unsupported eviction signal ${signal}` };
  try {
    if (!text.endsWith('%')) {
      const amount = amountOf(text);
      return amount >= 0
        ? { threshold: { amount } }
        : { problem: `eviction minimum reclaim ${text} must not be negative` };
    }
    const percent = Number(text.slice(0, -1));
    if (percent > 0 && percent < Number.POSITIVE_INFINITY) return { threshold: { share: percent / 100 } };
    return { problem: `eviction percentage minimum reclaim ${text} must be positive` };
  } catch {
    return { problem: `"${text}" is neither an amount nor a percentage` };
  }
}

/** The hard thresholds in force, by signal: the configuration's instead of the defaults, or over them where it says so. */
export function evictionThresholds({
  evictionHard,
  mergeDefaultEvictionSettings,
}: Pick<EvictionSettings, 'evictionHard' | 'mergeDefaultEvictionSettings'>): ReadonlyMap<
  NamedSignal,
  Threshold
> {
  const isDefault = evictionHard === undefined || mergeDefaultEvictionSettings;
  const texts = { ...(isDefault ? hardDefaults : {}), ...evictionHard };
  return new Map(
    evictionSignals.flatMap((signal) => {
      const { threshold } = parseThreshold(signal, texts[signal] ?? '0%');
      return threshold ? [[signal, threshold] as const] : [];
    }),
  );
}

/** Every threshold in force, hard ones first. */
export function evictionRules(settings: EvictionSettings): readonly EvictionRule[] {
  const { evictionSoft, evictionSoftGracePeriod, evictionMinimumReclaim } = settings;
  const graceMs = (signal: string) => parseDuration(ownValue(evictionSoftGracePeriod, signal) ?? '') ?? 0;
  const rule = (signal: NamedSignal, threshold: Threshold, graceMs: number): EvictionRule => {
    const { threshold: minReclaim } = parseReclaim(signal, ownValue(evictionMinimumReclaim, signal) ?? '0');
    return { signal, threshold, graceMs, minReclaim };
  };
  const hard = [...evictionThresholds(settings)].map(([signal, threshold]) => rule(signal, threshold, 0));
  const soft = evictionSignals.flatMap((signal) => {
    const { threshold } = parseThreshold(signal, ownValue(evictionSoft, signal) ?? '0%');
    return threshold ? [rule(signal, threshold, graceMs(signal))] : [];
  });
  const memory = settings.enforceNodeAllocatable.includes('pods')
    ? hard.filter(({ signal }) => signal === 'memory.available')
    : [];
  const ofPods = memory.map((of): EvictionRule => ({ ...of, signal: 'allocatableMemory.available' }));
  return [...hard, ...ofPods, ...soft];
}

/** A threshold as an amount, given the whole; a share has the precision of 32 bits, as upstream, whose messages tell the amount. */
export function thresholdAmount(threshold: Threshold | undefined, whole: number): number {
  if (!threshold) return 0;
  return 'amount' in threshold ? threshold.amount : Math.trunc(Math.fround(threshold.share) * whole);
}
