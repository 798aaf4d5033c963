import type { Fields } from '../../kubeconfig/document.ts';

/** What is shown in the place of a value, where there is one. */
const standIns = new Map([
  ['token', 'REDACTED'],
  ['password', 'REDACTED'],
  ...['certificate-authority-data', 'client-certificate-data', 'client-key-data'].map(
    (name) => [name, 'DATA+OMITTED'] as const,
  ),
]);

/** The fields of an entry without its secrets, and without what is long. */
export const redacted = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, standIns.get(name) ?? value]));
