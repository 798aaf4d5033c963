const nameCharactersMax = 253;

/** Why a text can't be a node's name (a DNS subdomain, RFC 1123), or nothing when it can. */
export function nodeNameProblem(name: string): string | undefined {
  if (name.length > nameCharactersMax) return `a node name has at most ${nameCharactersMax} characters`;
  const isName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name);
  return isName ? undefined : 'a node name has lower-case letters, digits, "-" and "." only';
}
