/** Requests for tokens of service accounts. */
import type { KindDefinition } from '../definition.ts';

/** Requests for tokens of service accounts. */
export const tokenRequest: KindDefinition = {
  group: 'authentication.k8s.io',
  kind: 'TokenRequest',
  defaults: {
    TokenRequestSpec: { expirationSeconds: 3600 },
  },
};
