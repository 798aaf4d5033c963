import { type LimitRangeItem, ownValue, parseQuantity, type Quantity } from '@wherry/kubeapi';
import type { Amounts } from '@wherry/podrules';

/** What something asks for, and what it may use. */
export interface Declared {
  requests: Amounts;
  limits: Amounts;
}

type Part = 'min' | 'max' | 'maxLimitRequestRatio';

const none: Amounts = new Map();

/** What of an item a container or a pod breaks, in upstream's words (plugin/pkg/admission/limitranger). */
export function brokenBounds(item: LimitRangeItem, { requests, limits }: Declared): string[] {
  return [
    ...eachOf(item, 'min', (bound) => belowMinimum(bound, requests, limits)),
    ...eachOf(item, 'max', (bound) => aboveMaximum(bound, requests, limits)),
    ...eachOf(item, 'maxLimitRequestRatio', (bound) => aboveRatio(bound, requests, limits)),
  ];
}

/** The same for a claim, which has requests alone. */
export function brokenClaimBounds(item: LimitRangeItem, requests: Amounts): string[] {
  return [
    ...eachOf(item, 'min', (bound) => belowMinimum(bound, requests, none)),
    ...eachOf(item, 'max', (bound) => {
      const said = `maximum ${bound.text}`;
      const request = requests.get(bound.name);
      if (!request) return `${said}.  No request is specified`;
      return request.cmp(bound.amount) > 0 ? `${said}, but request is ${request}` : undefined;
    }),
  ];
}

interface Bound {
  name: string;
  amount: Quantity;
  /** `cpu usage per Container is 1`. */
  text: string;
  type: string;
}

function eachOf(item: LimitRangeItem, part: Part, judge: (bound: Bound) => string | undefined): string[] {
  const { type = '' } = item;
  const amounts = item[part] ?? {};
  return Object.keys(amounts)
    .sort()
    .flatMap((name) => {
      const amount = parseQuantity(ownValue(amounts, name) ?? '0');
      const broken = judge({ name, amount, type, text: `${name} usage per ${type} is ${amount}` });
      return broken === undefined ? [] : [broken];
    });
}

function belowMinimum({ name, amount, text }: Bound, requests: Amounts, limits: Amounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const said = `minimum ${text}`;
  if (!request) return `${said}.  No request is specified`;
  if (request.cmp(amount) < 0) return `${said}, but request is ${request}`;
  return limit && limit.cmp(amount) < 0 ? `${said}, but limit is ${limit}` : undefined;
}

function aboveMaximum({ name, amount, text }: Bound, requests: Amounts, limits: Amounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const said = `maximum ${text}`;
  if (!limit) return `${said}.  No limit is specified`;
  if (limit.cmp(amount) > 0) return `${said}, but limit is ${limit}`;
  return request && request.cmp(amount) > 0 ? `${said}, but request is ${request}` : undefined;
}

function aboveRatio({ name, amount, type }: Bound, requests: Amounts, limits: Amounts): string | undefined {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const said = `${name} max limit to request ratio per ${type} is ${amount}`;
  if (!request || request.sign() === 0) return `${said}, but no request is specified or request is 0`;
  if (!limit || limit.sign() === 0) return `${said}, but no limit is specified or limit is 0`;
  const isAbove = limit.nanos * 1_000_000_000n > amount.nanos * request.nanos;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  return isAbove ? `${said}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
