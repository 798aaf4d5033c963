/** What costs are reckoned by (cel-go: common/cost.go). */
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;
export const traversalFactor = 0.1;
export const patternFactor = 0.25;
/** Of each item of a selector; each takes two characters at least. */
export const selectorItemCost = listCost + structCost;
export const selectorItemsPerCharacter = 0.5;
/** Two checks are all that an expression may ask for. */
export const authorizerCheckCost = 350_000;

/** Functions whose cost is one unit whatever they are given. */
export const nominal: ReadonlySet<string> = new Set([
  ...['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name', 'allowed', 'reason'],
  ...['error', 'errored', 'masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback'],
  ...['isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'format.named', 'sign', 'asInteger'],
  ...['isInteger', 'asApproximateFloat', 'isGreaterThan', 'isLessThan', 'compareTo', 'add', 'sub', 'major'],
  ...['minor', 'patch', 'getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'],
]);
/** Functions that walk through their text once. */
export const parsing: ReadonlySet<string> = new Set([
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'],
]);
/** Functions that walk through a list. */
export const walking: ReadonlySet<string> = new Set([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'],
]);
/** Forms of functions that compare up to the end of the shorter one. */
export const comparing = /^(?:equals|not_equals|(?:less|greater)(?:_equals)?_(?:string|bytes))$/;
