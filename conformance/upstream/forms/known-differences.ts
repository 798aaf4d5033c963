/** Where the two answer requests in all forms differently, and why that is let be. */
import type { KnownDifferences } from '../chance/known-differences.ts';

const unsaid = 'times that nobody has said are left out';
const topologies = 'upstream takes a topology without expressions for one that is there twice';
const ownerless = 'who owns the fields of a review that nobody stores is not told';

export const knownDifferences: KnownDifferences = [
  [/details: \{\} \| undefined$/, 'ours says of details that there are none'],
  [/\.columnDefinitions\[\d+\]\.description: /, 'our tables do not describe their columns'],
  [/message: .* \| ".* in scheme \\"pkg\/runtime/, 'upstream names a place in its source'],
  [/message: .* \| .*\{\\"[A-Z]\w*\\":/, 'upstream shows values with the names of Go'],
  [/message: .* \| .*@@/, 'upstream prints a difference of Go structs'],
  [
    /managedFields: undefined \| \[\{.*"authentication\.k8s|managedFields: undefined \| \[\{.*"authorization\.k8s/,
    ownerless,
  ],
  [/message: .* \| .*managedFields/, ownerless],
  [/\.rows\[\d+\]\.object: undefined \| null$/, 'what is not asked for is left out'],
  [/spec\.token: (""|undefined) \| /, 'a review does not tell the token again'],
  [/spec\.boundObjectRef: undefined \| null$/, 'what is not said is left out'],
  [/ (400|406|409|422) \| 500$/, 'who sent it has to change it, and is not to try again'],
  [/message: .* \| .*unknown conversion/, 'a body of another kind is refused in other words'],
  [
    /Key: \/registry\/(\S+), .* \| ".* Key: \/\1, /,
    'what only would be written has no prefix in upstream’s words',
  ],
  [/[ ,]APPLICATION\/JSON\b/, 'forms of answers are named without regard to case', 'parts'],
  [/ GET .*watch=true.*yaml.* 406 \| \d+$/, 'of two mistakes in a query another one is told of'],
  [
    / PATCH \S+\/(sacks|gadgets|holders)\/.* 406 \| 415$/,
    'of two mistakes in headers another one is told of',
  ],
  [
    / \/apis\/patches\S+ application\/vnd\.kubernetes\.protobuf.* 415 \| (0|400)$/,
    'custom resources have no form in protobuf; upstream looks for one, and comes to a panic',
  ],
  [/ application\/\*.* \d+ \| 406$/, 'application/* is JSON', 'parts'],
  [/f:(rules|endpoints|ports|drivers|requests)\b/, 'lists that have to be there are empty', 'parts'],
  [/ PUT \S+\/services\/\w+\/status.* 404 \| (201|422)$/, 'what is not there has no status', 'parts'],
  [
    / GET .*watch=true.*resourceVersion=1\b.* 200 \| 200$/,
    'a watch goes as far back as is kept; upstream’s begin with the server',
  ],
  [/\\u0000/, 'control characters are shown as JSON has them'],
  [
    /managedFields: .*k:\{.* \| undefined$/,
    'upstream forgets whose the fields are where an item has no key',
    'parts',
  ],
  [
    / \S+\/gadgets\/\w+\/scale\S* .*protobuf.* (200|404|422) \| 406$/,
    'a scale has a form in protobuf, of custom resources too',
  ],
  [/ \/apis\/storage\S+\/storageclasses.* 422 \| 422$/, topologies],
  [/ \/apis\/storage\S+\/storageclasses.* 20\d \| 422$/, topologies, 'parts'],
  [/: \[\] \| null$/, 'lists that have to be there are empty'],
  [
    / PUT \S+dryRun=All.* 201 \| 201$/,
    'what only would be created keeps a version that it brought, upstream',
  ],
  [/f:((first|last)\w+|eventTime): undefined \| \{\}$/, unsaid],
  [/\.((first|last)\w+|eventTime): undefined \| null$/, unsaid],
];
