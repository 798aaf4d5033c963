/** What is on other machines, which nothing here fetches. */

/** True for URLs, and for what git takes for one. */
export const isRemote = (path: string): boolean =>
  /^(?:git::|[a-z][a-z+.-]*:\/\/|[\w.-]+@[\w.-]+[:/]|github\.com[:/])/i.test(path);

export const remoteRefusal = (path: string): string =>
  `'${path}' is on another machine, and nothing is fetched from there; clone or download it, and name the folder or file instead`;
