import { limits } from '../../limits.ts';

const holding = (tag: string, ...attributes: string[]): [string, string[]] => [tag, attributes];

/** Attributes of HTML elements that hold a URL (upstream: apimachinery pkg/util/proxy, atomsToAttrs). */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ...['a', 'area', 'base', 'link'].map((tag) => holding(tag, 'href')),
  ...['audio', 'embed', 'script', 'source'].map((tag) => holding(tag, 'src')),
  ...['blockquote', 'del', 'ins', 'q'].map((tag) => holding(tag, 'cite')),
  ...['frame', 'iframe'].map((tag) => holding(tag, 'longdesc', 'src')),
  ['applet', ['codebase']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['form', ['action']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['video', ['poster', 'src']],
]);

/** Elements whose content is text up to their own end tag. */
const rawElements: ReadonlySet<string> = new Set([
  ...['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes'],
]);

const tagStart = /<(?=[a-z!/?])/i;
/** A whole tag: quotes may hold a `>`. */
const wholeTag = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/;
/** From the beginning of a name on: a long one is not tried again from each of its letters. */
const attribute = /(?<![^\s"'<>/=])([^\s"'<>/=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/g;

/**
 * Changes the links of an HTML document that comes in pieces; all other text stays as it is. At most
 * `limits.htmlTagCharactersMax` are held back; a tag that is longer is passed on unread.
 */
export class HtmlLinks {
  readonly #rewrite: (url: string) => string;
  #held = '';
  /** The end of what is text now: of a comment, or of a raw element. */
  #until: RegExp | undefined;

  constructor(rewrite: (url: string) => string) {
    this.#rewrite = rewrite;
  }

  /** What can be told of so far. */
  push(text: string): string {
    this.#held += text;
    let out = '';
    for (;;) {
      const taken = this.#until ? this.#takeRaw(this.#until) : this.#takeMarkup();
      if (taken === undefined) return out;
      out += taken;
    }
  }

  /** The rest. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }

  /** Up to the end of a comment or a raw element; undefined when there is nothing more to tell. */
  #takeRaw(until: RegExp): string | undefined {
    const at = this.#held.search(until);
    if (at >= 0) {
      this.#until = undefined;
      return this.#take(at);
    }
    // The end may have begun already.
    const kept = 16;
    return this.#held.length > kept ? this.#take(this.#held.length - kept) : undefined;
  }

  #takeMarkup(): string | undefined {
    if (this.#held === '') return undefined;
    const at = this.#held.search(tagStart);
    if (at > 0) return this.#take(at);
    if (at < 0) return this.#held.endsWith('<') ? this.#takeBut(1) : this.#take(this.#held.length);
    if ('<!--'.startsWith(this.#held.slice(0, 4))) {
      if (this.#held.length < 4) return undefined;
      this.#until = /-->/;
      return this.#take(4);
    }
    const tag = wholeTag.exec(this.#held)?.[0];
    if (tag === undefined)
      return this.#held.length > limits.htmlTagCharactersMax ? this.#take(this.#held.length) : undefined;
    this.#take(tag.length);
    return this.#changed(tag);
  }

  #changed(tag: string): string {
    const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    if (rawElements.has(name) && !tag.endsWith('/>')) this.#until = new RegExp(`</${name}[\\s/>]`, 'i');
    const links = linkAttributes.get(name);
    if (!links) return tag;
    return tag.replaceAll(attribute, (whole, key: string, equals: string, value: string) => {
      if (!links.includes(key.toLowerCase())) return whole;
      const quote = /^["']/.exec(value)?.[0] ?? '';
      const url = quote === '' ? value : value.slice(1, -1);
      return `${key}${equals}${quote}${this.#rewrite(url)}${quote}`;
    });
  }

  #takeBut(count: number): string | undefined {
    return this.#held.length > count ? this.#take(this.#held.length - count) : undefined;
  }

  #take(count: number): string {
    const taken = this.#held.slice(0, count);
    this.#held = this.#held.slice(count);
    return taken;
  }
}
