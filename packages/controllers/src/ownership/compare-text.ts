/** The order of Go's strings, as far as names and numbers go; what isn't there counts as empty. */
export function compareText(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}
