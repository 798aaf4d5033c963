import { SettingsError } from '../../settings-error.ts';
/** Who makes the tokens of service accounts where nobody says it, as kubeadm has it. */
export const usualIssuer = 'https://kubernetes.default.svc.cluster.local';

/** Who makes tokens, and whose others are believed. */
export interface ServiceAccountIssuers {
  /** Makes them. */
  first: string;
  /** The first, and those who have made them before. */
  all: readonly string[];
}

/** Reads `--service-account-issuer`, which may stand there several times. Throws an Error in upstream's words. */
export function serviceAccountIssuers(
  given: string | readonly string[] = usualIssuer,
): ServiceAccountIssuers {
  const all = typeof given === 'string' ? [given] : given;
  for (const [index, issuer] of all.entries()) {
    if (issuer === '') throw new SettingsError('service-account-issuer should not be an empty string');
    if (issuer.includes(':') && !URL.canParse(issuer))
      throw new SettingsError(
        `service-account-issuer ${JSON.stringify(issuer)} contained a ':' but was not a valid URL`,
      );
    if (all.indexOf(issuer) < index)
      throw new SettingsError(`service-account-issuer ${JSON.stringify(issuer)} is already specified`);
  }
  const [first = usualIssuer] = all;
  return { first, all: all.length === 0 ? [first] : all };
}
