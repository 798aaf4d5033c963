/** A request's URL as a log may have it: what is run inside a pod, and with which arguments, is nobody else's business. */
export function loggedUrl(url = ''): string {
  const [path = '', query] = url.split('?', 2);
  if (query === undefined) return path;
  const parameters = new URLSearchParams(query);
  if (parameters.has('command')) parameters.set('command', '-');
  return `${path}?${parameters}`;
}
