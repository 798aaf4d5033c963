import { formatDurationMs } from '@wherry/kubeapi';
import { StrictReader } from '../../documents/strict-reader.ts';
import { naming, type PluginConfiguration } from '../plugin-configurations.ts';

/** How a webhook is asked about images. */
export interface ImagePolicy {
  /** A kubeconfig that leads to it. */
  kubeconfig: string;
  /** How long it is remembered what it allowed, and what not; 0: not at all. */
  allowedMs: number;
  deniedMs: number;
  /** Before it is asked again for the first time. */
  retryMs: number;
  /** Pods are fine when it can not be asked. */
  allowsUnasked: boolean;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** What -1 says. */
const never = 0;

/** What stands below `imagePolicy`. Throws an Error where there is nothing, and on what is out of bounds. */
export function readImagePolicy(given: PluginConfiguration | undefined): ImagePolicy {
  if (!given) throw new Error('no config specified');
  const reader = new StrictReader();
  return naming(given.file, () => {
    const { imagePolicy } = reader.object('', given.document, ['imagePolicy']);
    const times = ['allowTTL', 'denyTTL', 'retryBackoff'] as const;
    const fields = reader.object('imagePolicy', imagePolicy, [...times, 'kubeConfigFile', 'defaultAllow']);
    const at = (name: string) => `imagePolicy.${name}`;
    const timeOf = (name: (typeof times)[number], bounds: Bounds) =>
      timeWithin(at(name), reader.integer(at(name), fields[name]), bounds);
    const remembered = { unitMs: secondMs, minMs: secondMs, maxMs: 30 * minuteMs };
    return {
      kubeconfig: reader.text(at('kubeConfigFile'), fields['kubeConfigFile']),
      allowedMs: timeOf('allowTTL', { ...remembered, defaultMs: 5 * minuteMs }),
      deniedMs: timeOf('denyTTL', { ...remembered, defaultMs: 30 * secondMs }),
      retryMs: timeOf('retryBackoff', { unitMs: 1, minMs: 0, maxMs: 5 * minuteMs, defaultMs: 500 }),
      allowsUnasked: reader.flag(at('defaultAllow'), fields['defaultAllow']) === true,
    };
  });
}

interface Bounds {
  unitMs: number;
  minMs: number;
  maxMs: number;
  /** What 0 says. */
  defaultMs: number;
}

function timeWithin(path: string, value: number, { unitMs, minMs, maxMs, defaultMs }: Bounds): number {
  if (value === -1) return never;
  if (value === 0) return defaultMs;
  const ms = value * unitMs;
  if (ms >= minMs && ms <= maxMs) return ms;
  const [low, high, own] = [minMs, maxMs, ms].map(formatDurationMs);
  throw new Error(`${path}: valid value is between ${low} and ${high}, got ${own}`);
}
