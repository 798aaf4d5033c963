/** An address with a port, as Go writes it and URLs have it. */
export function hostPort(host: string, port: number | string): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}
