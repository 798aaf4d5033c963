import { RuntimeError } from '../errors.ts';

/** What the `bandwidth` capability takes: bits per second, and bits that may come at once. */
export interface Bandwidth {
  ingressRate?: number;
  ingressBurst?: number;
  egressRate?: number;
  egressBurst?: number;
}

const rateMin = 1e3;
const rateMax = 1e15;
/** As containerd gives it. */
const burst = 2 ** 32 - 1;

const units: ReadonlyMap<string, number> = new Map([
  ...['', 'k', 'M', 'G', 'T', 'P', 'E'].map((unit, power) => [unit, 1000 ** power] as const),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, power) => [unit, 1024 ** (power + 1)] as const),
  ['m', 1e-3],
]);

/** Bits per second from a quantity such as `10M`. Throws `RuntimeError` INVALID_ARGUMENT. */
function rateOf(annotation: string, text: string): number {
  const [, digits = '', exponent = '0', unit = ''] =
    /^\+?(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d{1,2})|([A-Za-z]{0,2}))$/.exec(text) ?? [];
  const factor = units.get(unit);
  const rate =
    digits === '' || factor === undefined
      ? Number.NaN
      : Math.ceil(Number(digits) * 10 ** Number(exponent) * factor);
  if (rate >= rateMin && rate <= rateMax) return rate;
  throw new RuntimeError(
    'INVALID_ARGUMENT',
    `annotation ${annotation}: ${JSON.stringify(text)}: want bits per second from 1k to 1P, such as 10M`,
  );
}

/** The limits that a pod's annotations ask for, or undefined. Throws `RuntimeError` INVALID_ARGUMENT. */
export function bandwidthOf(annotations: Readonly<Record<string, string>>): Bandwidth | undefined {
  const rate = (direction: string) => {
    const name = `kubernetes.io/${direction}-bandwidth`;
    return Object.hasOwn(annotations, name) ? rateOf(name, annotations[name] ?? '') : undefined;
  };
  const [ingress, egress] = [rate('ingress'), rate('egress')];
  if (ingress === undefined && egress === undefined) return undefined;
  return {
    ...(ingress !== undefined && { ingressRate: ingress, ingressBurst: burst }),
    ...(egress !== undefined && { egressRate: egress, egressBurst: burst }),
  };
}
