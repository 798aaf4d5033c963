import { RuntimeError } from '../errors.ts';

/** Bounds of what a pod may receive and send, in bits per second. */
export interface PodRates {
  ingress?: number | undefined;
  egress?: number | undefined;
}

const rateMin = 1e3;
const rateMax = 1e15;

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

/** The bounds that a pod's annotations ask for, or undefined. Throws `RuntimeError` INVALID_ARGUMENT. */
export function ratesOf(annotations: Readonly<Record<string, string>>): PodRates | undefined {
  const rate = (direction: string) => {
    const name = `kubernetes.io/${direction}-bandwidth`;
    return Object.hasOwn(annotations, name) ? rateOf(name, annotations[name] ?? '') : undefined;
  };
  const [ingress, egress] = [rate('ingress'), rate('egress')];
  return ingress === undefined && egress === undefined ? undefined : { ingress, egress };
}
