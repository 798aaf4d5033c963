/** JSON as Go writes it, for what is stored or hashed as text: it escapes what ends a script of HTML, and Unicode's line ends. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
