/** What this package refuses to exceed, so that no input costs more than its own size. */

/** Depth of nested values in JSON and YAML documents and in protobuf messages. Go's JSON decoder stops at 10000. */
export const nestingDepthMax = 256;

/** Bytes of one request body; upstream's default for the API server. */
export const bodyBytesMax = 3 * 1024 * 1024;

/**
 * Bytes and tokens (a line `key: value` has eight) of one YAML document. Read without them it costs up to twenty times
 * what the longest JSON body costs; with them, at most a half.
 */
export const yamlBytesMax = 1024 * 1024;
export const yamlTokensMax = 50_000;

/** Brackets within brackets of a YAML document, as Go's library has it. */
export const yamlFlowDepthMax = 10_000;

/** Values, and characters of texts, that the aliases of one YAML document may add. */
export const yamlExpansionMax = 256 * 1024;

/** Warnings and strict errors collected per object; more are counted, not listed. */
export const fieldComplaintsMax = 100;

/** Reasons why an object is refused that its answer tells; how many more there are, it says. */
export const fieldErrorsMax = 1_000;

/** Warnings of files of one pod's volumes, and of its ports; an answer has room for far fewer. */
export const podWarningsMax = 1_000;
/** With how many ports of its number before it a port of a pod is compared. */
export const portsComparedMax = 100;

/** Values that are looked at on the way of a column's JSONPath through one object. */
export const pathValuesMax = 100_000;

/** Operations of one JSON patch (upstream's maximum). */
export const jsonPatchOperationsMax = 10_000;

/** Characters of a quantity; longer texts are no numbers that anyone means. */
export const quantityLengthMax = 128;

/** Powers of ten that a quantity's exponent may name. */
export const quantityExponentMax = 64;

/** What one evaluation of an expression in CEL may cost, in cel-go's units; upstream's. About a fifth of a second at most. */
export const celRunCostMax = 1_000_000;
/** What all expressions may cost that look at one object, by one policy or by the rules of its schema; upstream's. */
export const celObjectCostMax = 10_000_000;
/** What all conditions may cost that decide whether a webhook or policy is asked about one object; upstream's. */
export const celConditionsCostMax = 2_500_000;
/** What a rule may be reckoned to cost before it runs, and all rules of a schema together; upstream's. */
export const celEstimatedCostMax = 10_000_000;
export const celEstimatedTotalMax = 100_000_000;
/** Parts of an object's type, written out, for expressions to be held to; upstream has no bound. */
export const celTypePartsMax = 100_000;
/** Bytes of a message that an expression makes; upstream's. */
export const celMessageBytesMax = 5 * 1024;
