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

/** Values, and characters of texts, that the aliases of one YAML document may add. */
export const yamlExpansionMax = 256 * 1024;

/** Warnings and strict errors collected per object; more are counted, not listed. */
export const fieldComplaintsMax = 100;

/** Operations of one JSON patch (upstream's maximum). */
export const jsonPatchOperationsMax = 10_000;

/** Characters of a quantity; longer texts are no numbers that anyone means. */
export const quantityLengthMax = 128;

/** Powers of ten that a quantity's exponent may name. */
export const quantityExponentMax = 64;
