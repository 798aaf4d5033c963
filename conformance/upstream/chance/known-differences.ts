/** Where the two answer differently, and why that is let be. */
import { type Difference, requestText } from './tell.ts';

/**
 * How a line of a difference, or the request and its two codes, reads, and why it is let be; `parts` where the two objects are
 * different from then on. A test fails on what is not in its list, and on what is there and no longer occurs.
 */
export type KnownDifference = readonly [pattern: RegExp, reason: string, parts?: 'parts'];
export type KnownDifferences = readonly KnownDifference[];

/** Of requests of all verbs. */
export const knownDifferences: KnownDifferences = [
  [/details: \{\} \| undefined$/, 'ours says of details that there are none'],
  [/\.columnDefinitions\[\d+\]\.description: /, 'our tables do not describe their columns'],
  [/body\[0\]\.items: \[\] \| null$/, 'a list of metadata without items has an empty one'],
  [
    /details\.causes: \[\{"reason":"UnexpectedServerResponse".*\] \| undefined$/,
    'ours says why a JSON patch does not fit',
  ],
  [
    /message: .*pod updates may not change fields/,
    'ours names the fields, upstream prints a difference of Go structs',
  ],
  [
    /message: .*(patch: Invalid value: |"Invalid value: \\"\{)/,
    'fields of the patched object come in another order, and Go converts values in its own words',
  ],
  [/message: .* \| ".* in scheme \\"pkg\/runtime/, 'upstream names a place in its source'],
  [
    /message: .* \| "(the object provided is unrecognized .* couldn't get version|.* Object 'Kind' is missing in 'null')/,
    'of what is no object upstream prints a Go type',
  ],
  [/ (POST|PUT) \S+( \S+)? null 400 \| 422$/, 'nothing is no object; upstream reads an empty one'],
  [/ 400 \| 500$/, 'who sent it has to change it, and is not to try again'],
  [
    /\/gears\/.*apply-patch.* (409|422) \| 500$/,
    'values of the wrong type are found once it is known whose they are',
  ],
  [
    /managedFields\[\d+\]\.time: "…" \| undefined$/,
    'upstream forgets the time of what was written by a scale',
  ],
  [/ GET .*fieldSelector=spec\..* 400 \| (400|422)$/, 'of two mistakes in a query another one is told of'],
  [
    /message: "invalid resource version: .* \| "invalid continue token/,
    'of two mistakes in a query another one is told of',
  ],
  [
    /message: ".* json: cannot unmarshal .* \| ".*illegal base64 data/,
    'of two mistakes in a body another one is told of',
  ],
  [
    /Key: \/registry\/(\S+), .* \| ".* Key: \/\1, /,
    'what only would be written has no prefix in upstream’s words',
  ],
  [
    / POST \S+dryRun=All.*"resourceVersion":"1".* 201 \| 201$/,
    'what only would be created keeps a version that it brought, upstream',
  ],
];

/** The lines that are not known to `all`. `isSeen` is told of each difference that was needed. */
export function unknownLines(
  { asked, codes, lines }: Difference,
  all: KnownDifferences,
  isSeen: (known: KnownDifference) => void = () => {},
): string[] {
  const request = ` ${requestText(asked)} ${codes.join(' | ')}`;
  return lines.filter((line) => {
    const known = all.find(([pattern]) => pattern.test(line) || pattern.test(request));
    if (known) isSeen(known);
    return known === undefined;
  });
}
