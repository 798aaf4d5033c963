/** The certificates of a PEM bundle, each a text; what else is in it is passed over. */
export const pemCertificates = (bundle: string): string[] =>
  bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
