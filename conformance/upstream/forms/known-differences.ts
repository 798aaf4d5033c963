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
    /wrong wireType = (\d) for field \w+.* \| .*wrong wireType = \1 for field \w+/,
    'a field has its name in JSON',
  ],
  [
    /managedFields: undefined \| \[\{.*"authentication\.k8s|managedFields: undefined \| \[\{.*"authorization\.k8s/,
    ownerless,
  ],
  [/message: .* \| .*managedFields/, ownerless],
  [/spec\.token: (""|undefined) \| /, 'a review does not tell the token again'],
  [/spec\.boundObjectRef: undefined \| null$/, 'what is not said is left out'],
  [/ 400 \| 500$/, 'who sent it has to change it, and is not to try again'],
  [/message: .* \| .*unknown conversion/, 'a body of another kind is refused in other words'],
  [
    /Key: \/registry\/(\S+), .* \| ".* Key: \/\1, /,
    'what only would be written has no prefix in upstream’s words',
  ],
  [/ APPLICATION\/JSON\b/, 'forms of answers are named without regard to case', 'parts'],
  [/ GET .*watch=true.*yaml.* 406 \| \d+$/, 'of two mistakes in a query another one is told of'],
  [/ PATCH \S+\/sacks\/.* 406 \| 415$/, 'of two mistakes in headers another one is told of'],
  [
    / GET .*watch=true.*as=PartialObjectMetadataList/,
    'a watch of what no event has a form for tells of objects; upstream’s ends',
  ],
  [
    / \/apis\/patches\S+ application\/vnd\.kubernetes\.protobuf.* 415 \| (0|400)$/,
    'custom resources have no form in protobuf; upstream looks for one, and comes to a panic',
  ],
  [/ application\/\*.* \d+ \| 406$/, 'application/* is JSON'],
  [/f:(rules|endpoints|ports|drivers|requests)\b/, 'lists that have to be there are empty'],
  [/ \/apis\/storage\S+\/storageclasses.* 20\d \| 422$/, topologies, 'parts'],
  [/service\.namespace.* \| .*service\.name\b/, 'upstream takes the name of a service for its namespace'],
  [/\ufffd/, 'of bytes that are no text others stand in their place'],
  [/: \[\] \| null$/, 'lists that have to be there are empty'],
  [
    / PUT \S+dryRun=All.* 201 \| 201$/,
    'what only would be created keeps a version that it brought, upstream',
  ],
  [/f:((first|last)\w+|eventTime): undefined \| \{\}$/, unsaid],
  [/\.((first|last)\w+|eventTime): undefined \| null$/, unsaid],
];
