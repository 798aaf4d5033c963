import { amountOf } from '../pod/amount.ts';

/** What a node can run short of (pkg/kubelet/eviction/api). */
export const evictionSignals = [
  'memory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'pid.available',
] as const;

export type EvictionSignal = (typeof evictionSignals)[number];

/** The least that must be left: an amount, or a share of the whole from 0 to 1. */
export type Threshold = { amount: number } | { share: number };

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
  if (!evictionSignals.some((known) => known === signal))
    return { problem: `unsupported eviction signal ${signal}` };
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

/** The thresholds in force, by signal: the configuration's instead of the defaults, or over them where it says so. */
export function evictionThresholds({
  evictionHard,
  mergeDefaultEvictionSettings,
}: {
  evictionHard: Readonly<Record<string, string>> | undefined;
  mergeDefaultEvictionSettings: boolean;
}): ReadonlyMap<EvictionSignal, Threshold> {
  const isDefault = evictionHard === undefined || mergeDefaultEvictionSettings;
  const texts = { ...(isDefault ? hardDefaults : {}), ...evictionHard };
  return new Map(
    evictionSignals.flatMap((signal) => {
      const { threshold } = parseThreshold(signal, texts[signal] ?? '0%');
      return threshold ? [[signal, threshold] as const] : [];
    }),
  );
}

/** A threshold as an amount, given the whole. */
export function thresholdAmount(threshold: Threshold | undefined, whole: number): number {
  if (!threshold) return 0;
  return 'amount' in threshold ? threshold.amount : threshold.share * whole;
}
