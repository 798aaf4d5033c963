import { decodeJwt } from 'jose';

/** Who a token says has made it, before anything of it is believed; undefined where it is no token. */
export function issuerOf(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    if (typeof iss !== 'string') return undefined;
    return iss === 'accounts.google.com' ? 'https://accounts.google.com' : iss;
  } catch {
    return undefined;
  }
}
