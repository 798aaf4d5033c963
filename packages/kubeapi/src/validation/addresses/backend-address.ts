/** Violations in addresses that traffic is led to. */

import { type FieldError, type FieldPath, invalidValue } from '../../status/field-error.ts';
import { type AddressClass, addressClass } from '../../values/address-class.ts';
import { ipAddress } from '../formats.ts';
import { check } from '../metadata.ts';

const refusals: Partial<Record<AddressClass, string>> = {
  loopback: 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
  'link-local': 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
};

/** Violations in an address that traffic is sent to on somebody's word: not this machine, not its link. */
export function validateBackendAddress(field: FieldPath, text: string): FieldError[] {
  const complaints = check(field, text, ipAddress);
  if (complaints.length > 0) return complaints;
  const kind = addressClass(text) ?? 'global';
  if (kind === 'unspecified') return [invalidValue(field, text, `may not be unspecified (${text})`)];
  if (kind === 'multicast' && /^(224\.0\.0\.|ff02:)/i.test(text)) {
    const detail = 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';
    return [invalidValue(field, text, detail)];
  }
  const detail = refusals[kind];
  return detail ? [invalidValue(field, text, detail)] : [];
}
