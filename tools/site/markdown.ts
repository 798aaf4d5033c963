import GithubSlugger from 'github-slugger';
import { Marked, type Tokens } from 'marked';

/** A part of a page below one heading, for the search. */
export interface Section {
  /** Empty for what comes before the first heading. */
  id: string;
  title: string;
  text: string;
}

/** Markdown as a page shows it. */
export interface Rendered {
  /** What the first heading says. */
  title: string;
  html: string;
  sections: Section[];
}

/** Renders GitHub's markdown; headings get the ids that they have there. `link` says where each link leads in the site. */
export function render(markdown: string, link: (href: string) => string): Rendered {
  const slugger = new GithubSlugger();
  const sections: Section[] = [{ id: '', title: '', text: '' }];
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link') token['href'] = link(token['href']);
    },
    renderer: {
      heading(token: Tokens.Heading) {
        const inner = this.parser.parseInline(token.tokens);
        const id = slugger.slug(plain(inner));
        return `<h${token.depth} id="${id}">${inner} <a class="here" href="#${id}" aria-label="Link to this part">#</a></h${token.depth}>\n`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="wide"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  for (const part of html.split(/(?=<h[1-6] id=")/)) {
    const heading = part.match(/^<h[1-6] id="([^"]*)">(.*?) <a class="here"/s);
    const text = plain(part.replace(/^<h[1-6].*?<\/h[1-6]>/s, ''));
    if (heading) sections.push({ id: heading[1] ?? '', title: plain(heading[2] ?? ''), text });
    else if (sections[0]) sections[0].text += text;
  }
  const title = sections.find(({ id }) => id !== '')?.title ?? '';
  return { title, html, sections: sections.filter(({ id, text }) => id !== '' || text.trim() !== '') };
}

const entities = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** The text of a piece of HTML that was rendered here. */
function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities.get(entity) ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Text as HTML shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
