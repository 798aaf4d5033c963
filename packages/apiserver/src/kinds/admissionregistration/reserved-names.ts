import type { Strategy } from '../../objects/strategy.ts';

const suffix = '.static.k8s.io';

/** Warns of names that upstream keeps for configurations in files. */
export const reservedNames: Pick<Strategy, 'warningsOf'> = {
  warningsOf: ({ metadata: { name = '' } }) =>
    name.endsWith(suffix)
      ? [
          `metadata.name: names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
        ]
      : [],
};
