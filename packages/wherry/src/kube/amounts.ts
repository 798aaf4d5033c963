import { canonicalQuantity, QuantityError } from '@wherry/kubeapi';
import { CommandError } from '../errors.ts';

/** Reads `RESOURCE=QUANTITY,...`; of a resource that stands there twice the last amount holds. Throws `CommandError`. */
export function parseAmounts(text: string): Map<string, string> {
  return new Map(text.split(',').map(parseAmount));
}

function parseAmount(text: string): [resource: string, quantity: string] {
  const [resource = '', quantity, ...more] = text.split('=');
  if (quantity === undefined || more.length > 0)
    throw new CommandError(`Invalid argument syntax ${text}, expected <resource>=<value>`);
  try {
    return [resource, canonicalQuantity(quantity)];
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new CommandError(error.message, { cause: error });
  }
}
