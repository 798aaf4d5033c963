/** Where the two answer patches differently, and why that is let be. */
import type { KnownDifferences } from '../chance/known-differences.ts';

export const knownDifferences: KnownDifferences = [
  [/details: \{\} \| undefined$/, 'ours says of details that there are none'],
  [
    /details\.causes: \[\{"reason":"UnexpectedServerResponse".*\] \| undefined$/,
    'ours says why a JSON patch does not fit',
  ],
  [
    /message: .*patch: Invalid value: /,
    'fields of the patched object come in another order, and Go converts values in its own words',
  ],
  [/details\.causes\[0\]\.message: "Invalid value: \\"\{/, 'the same'],
  [/ 400 \| 500$/, 'who sent it has to change it, and is not to try again'],
  [
    /Invalid value: \{\\"[a-z].* \| .*Invalid value: \{\\"[A-Z]/,
    'upstream shows values with the names of Go',
  ],
];
