/** Of the names that an image has those that `name` is short for; all, where none is: files that were built before have several. */
export function namesMeant(name: string, names: readonly string[]): readonly string[] {
  const tagged = /[:@][^/]*$/.test(name) ? name : `${name}:latest`;
  const long = [tagged, `docker.io/${tagged}`, `docker.io/library/${tagged}`];
  const meant = names.filter((one) => long.includes(one));
  return meant.length > 0 ? meant : names;
}
