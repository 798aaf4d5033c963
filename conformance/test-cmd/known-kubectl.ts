import type { KnownDifference } from './outcome.ts';

/** Where upstream's kubectl is answered otherwise by our servers than the scripts expect. */
export const knownOfKubectl: readonly KnownDifference[] = [
  {
    name: 'run_swagger_tests',
    at: ['discovery.sh:299'],
    reason:
      'descriptions of the OpenAPI documents are of our own words, and it looks for sentences of upstream’s',
  },
];
