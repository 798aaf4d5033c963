/** The format of image names (distribution/reference, regexp.go). */
const separated = (part: string, separator: string) => `${part}(?:${separator}${part})*`;
const label = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${separated(label, '\\.')}|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const path = separated(separated('[a-z0-9]+', '(?:[._]|__|-+)'), '/');
const tag = '\\w[\\w.-]{0,127}';
const digest = `${separated('[A-Za-z][A-Za-z0-9]*', '[-_+.]')}:[0-9a-fA-F]{32,}`;
const imageName = new RegExp(`^(?:${host}/)?${path}(?::${tag})?(?:@${digest})?$`);

/** True for what may name an image: kubectl refuses others before a server is asked. */
export const isImageName = (text: string): boolean => imageName.test(text);
