import type { StoredImage } from './image-record.ts';
import { parseReference, tagName } from './reference.ts';

/**
 * What an image is called in full by who named it `text`: `docker.io/library/web:latest` for `web`. Its first tag where it has
 * no such one, as for a name by digest; undefined where it has none at all.
 */
export function calledBy({ tags }: Pick<StoredImage, 'tags'>, text: string): string | undefined {
  const wanted = fullName(text);
  return tags.find((tag) => tag === wanted) ?? tags[0];
}

function fullName(text: string): string | undefined {
  try {
    return tagName(parseReference(text));
  } catch {
    return undefined;
  }
}
