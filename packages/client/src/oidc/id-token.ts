/** How long before its end a token is no longer used, in milliseconds. */
const expiryMarginMs = 10_000;

/** Whether an ID token can still be used at `nowMs`. Throws `Error` for what is no JWT. */
export function isFresh(idToken: string, nowMs: number): boolean {
  const parts = idToken.split('.');
  if (parts.length !== 3) throw new Error('ID Token is not a valid JWT');
  let claims: unknown;
  try {
    claims = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
  } catch (error) {
    throw new Error(`parsing claims: ${(error as Error).message}`, { cause: error });
  }
  const { exp } = (claims ?? {}) as { exp?: unknown };
  return typeof exp === 'number' && nowMs + expiryMarginMs < exp * 1000;
}
