import { resolve } from 'node:path';
import type { NodeSettings } from '@wherry/node';
import type { Place } from './place.ts';
import { textsOf } from './shared-fields.ts';

const texts = ['usernameClaim', 'usernamePrefix', 'groupsClaim', 'groupsPrefix'] as const;

/** The identity provider that a file names. Throws `CommandError` with file and line for what is wrong. */
export function oidcOf(place: Place | undefined, folder: string): NodeSettings['oidc'] {
  if (!place) return undefined;
  const fields = place.fields([
    ...['issuerUrl', 'clientId', 'caFile'],
    ...texts,
    ...['signingAlgs', 'requiredClaims'],
  ]);
  const needed = (name: string): string => {
    const field = fields.get(name);
    if (!field) throw place.wrong(`oidc: ${name} is not set`);
    return field.text();
  };
  const given = texts.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)?.text()]);
  const [caFile, algs, claims] = ['caFile', 'signingAlgs', 'requiredClaims'].map((name) => fields.get(name));
  return {
    ...{ issuerUrl: needed('issuerUrl'), clientId: needed('clientId') },
    ...Object.fromEntries(given),
    ...(caFile && { caFile: resolve(folder, caFile.text()) }),
    ...(algs && { signingAlgs: textsOf(algs) }),
    ...(claims && { requiredClaims: claims.map((claim) => claim.text()) }),
  };
}
