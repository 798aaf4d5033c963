/** Where the two answer patches differently, and why that is let be. */
import type { KnownDifferences } from '../chance/known-differences.ts';

const topologies = 'upstream takes a topology without expressions for one that is there twice';
const unsaid = 'times that nobody has said are left out';
const lost = 'what lost all its fields is null as of Kubernetes 1.36.6, and was empty before';
const emptied = 'what became empty upstream keeps until the next write';
const kinds = 'fields of the patched object come in another order, and Go converts values in its own words';

export const knownDifferences: KnownDifferences = [
  [/details: \{\} \| undefined$/, 'ours says of details that there are none'],
  [
    /details\.causes: \[\{"reason":"UnexpectedServerResponse".*\] \| undefined$/,
    'ours says why a JSON patch does not fit',
  ],
  [/message: .*patch: Invalid value: /, kinds],
  [/details\.causes\[0\]\.message: "Invalid value: \\"(\{|map\[)/, kinds],
  [/ (400|409|422) \| 500$/, 'who sent it has to change it, and is not to try again'],
  [/message: .* \| .*\{\\"[A-Z]\w*\\":/, 'upstream shows values with the names of Go'],
  [/message: .* \| .*@@/, 'upstream prints a difference of Go structs'],
  [/ PATCH .* \d{3} \| 0$/, 'upstream comes to a panic'],
  [
    / (PATCH|PUT) \S+\/(services|validatingadmissionpolicies)\/\w+\/status.* 404 \| (201|400|422|500)$/,
    'what is not there has no status',
  ],
  [
    / PUT \S+dryRun=All.* 201 \| 201$/,
    'what only would be created keeps a version that it brought, upstream',
  ],
  [/message: .*cannot be handled as a \w+: json: cannot/, 'of two mistakes in a body another one is told of'],
  [
    / application\/apply-patch.*"managedFields":\[null\].* 400 \| \d+$/,
    'upstream takes a list of nothing for none',
  ],
  [
    / \S+\/sacks\/\S+ \S+apply-patch.*"namespace":.* 200 \| 200$/,
    'a namespace of what has none is a change to upstream',
    'parts',
  ],
  [/headers\.warning: .*unknown field .* \| .*unknown field/, 'unknown fields are told of in another order'],
  [/ \/apis\/storage\S+\/storageclasses.* 422 \| 422$/, topologies],
  [/ \S+\/storageclasses\/none\S* .* 20\d \| 20\d$/, topologies, 'parts'],
  [
    / \S+\/pods\/\w+\/resize\S* .* 422 \| 422$/,
    'whether a pod keeps its class is asked once the rest is well',
  ],
  [/ \/apis\/storage\S+\/storageclasses.* 20\d \| 422$/, topologies, 'parts'],
  [/ \S+\/events.* 422 \| 422$/, 'of metadata upstream complains once the rest of an event is well'],
  [
    / \S+(webhookconfigurations|networkpolicies)\/.*"\w+":\[\].* 200 \| 200$/,
    'of lists upstream tells none from empty ones',
    'parts',
  ],
  [
    / application\/strategic\S+ .*\$setElementOrder.* 200 \| 500$/,
    'a list without a key has no items in upstream’s order',
    'parts',
  ],
  [
    / PATCH \S+\/(holders|persistentvolumeclaims|gadgets)\/\S+ \S+ (\{\}|\{("apiVersion":"v1","kind":"\w+",)?"metadata":\{"(resourceV|managedF|namespace).*|\[.*"\/metadata\/labels".*) 200 \| 200$/,
    emptied,
    'parts',
  ],
  [/ PATCH \S+\/holders\/.*"labels":\{\}.* 200 \| 200$/, emptied, 'parts'],
  [/ PATCH .*12345678901234567890.* 422 \| 400$/, 'a number beyond 64 bits is another one to upstream'],
  [
    /Key: \/registry\/(\S+), .* \| ".* Key: \/\1, /,
    'what only would be written has no prefix in upstream’s words',
  ],
  [
    /\/scale\S* application\/apply-patch.* 200 \| 500$/,
    'upstream looks for the version of a scale among those of the custom resource',
  ],
  [/ \S+\/holders\/\S+ \S+apply-patch.*"status":\{\}.* 422 \| 200$/, lost, 'parts'],
  [/f:(rules|requests|endpoints|ports|drivers)\b/, 'lists that have to be there are empty', 'parts'],
  [/: \[\] \| null$/, 'lists that have to be there are empty', 'parts'],
  [/f:(last\w+|firstTimestamp|eventTime): undefined \| \{\}$/, unsaid, 'parts'],
  [/\.(last\w+|firstTimestamp|eventTime): undefined \| null$/, unsaid, 'parts'],
  [
    /managedFields: .*(k:\{\}|k:\{\\"name\\":\\"\\").* \| undefined$/,
    'upstream forgets whose the fields are where an item has no key',
    'parts',
  ],
];
